"""Reading TOML and other files, with the line of every complaint. The rest of app.lessons uses it."""
