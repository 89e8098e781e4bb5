for name, f in [("as it is", lambda h: h), ("Reverse", Reverse.apply)]:
    task, domain = train(f)
    print(f"{name:9} task {task:.2f}, domain {domain:.2f}")
