"""Texts: sections, links, pictures, the glossary, and checks of wording and translation."""
