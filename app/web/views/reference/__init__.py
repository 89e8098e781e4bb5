"""What the templates of the reference get: the glossary, cards, pitfalls, and what works here. Called by the pages."""
