"""The course as data: lessons, cells, exercises, predictions and pictures. It reads no file and imports only app.protocol."""
