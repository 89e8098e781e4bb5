"""The types and the limits that web, runner and sandbox children share. Imports nothing of the app but itself."""
