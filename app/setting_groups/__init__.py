"""The settings by what they are for, and the rules of their values. app.settings joins the groups and reads the environment."""
