"""The files that a browser loads with a page."""

from app.loadtest.visitor import find_files

PAGE = """<!doctype html><html><head>
<link rel="preload" href="/static/font.woff2" as="font" crossorigin><link rel="stylesheet" href="/static/page.css">
<link rel="icon" href="/static/icon.svg"><link rel="modulepreload" href="/static/chunk.js">
<link rel="alternate" hreflang="zh-Hans" href="/zh-Hans/"><link rel="next" href="/en/next">
<script type="module" src="/static/lesson.js"></script><script type="application/json">{"src": "/static/no.js"}</script>
</head><body><a href="/en/">map</a><img src="data:image/png;base64,AA"><img src="/static/page.css"></body></html>"""


def test_what_a_browser_loads_with_a_page_is_found_once_each() -> None:
    assert find_files(PAGE) == ["/static/font.woff2", "/static/page.css", "/static/icon.svg", "/static/chunk.js", "/static/lesson.js"]
