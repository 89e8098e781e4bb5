"""The course as data: lessons, cells, exercises, predictions, pictures. Reads no file; imports nothing of the app but app.protocol."""
