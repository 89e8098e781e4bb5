"""Makes the order to grade a submission, and turns the verdict into the learner's answer. Called by app.web and app.authoring."""
