"""Makes the order to grade a submission, and the answer that the learner gets of its verdict. Called by app.web and app.authoring."""
