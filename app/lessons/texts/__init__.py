"""Texts: sections, links, pictures, the glossary, and the rules that texts keep."""
