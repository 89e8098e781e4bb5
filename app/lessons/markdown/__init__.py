"""From Markdown to HTML and to the parts of a lesson. Called by the packages of app.lessons that read texts."""
