# One image for both services of compose.yaml: `gradroom web` and `gradroom runner`; by itself it runs `gradroom serve`. The target `caddy` is
# the image of the third.
ARG BASE_IMAGE=docker.io/library/python:3.11-slim-bookworm
ARG CADDY_IMAGE=docker.io/library/caddy:2

# --- The virtual environment, without what only building and testing torch needs.
FROM ${BASE_IMAGE} AS environment
# The driver of PostgreSQL; runtimes besides PyTorch: --build-arg EXTRAS=postgresql,tensorflow,jax
ARG EXTRAS=postgresql
WORKDIR /opt/gradroom
COPY bootstrap bootstrap
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY app/__init__.py app/__init__.py
RUN EXTRAS=${EXTRAS} python3 -m bootstrap runtime reference formulas
RUN packages=$(.venv/bin/python -c "import sysconfig; print(sysconfig.get_path('platlib'))") \
 && rm -rf "$packages"/torch/include "$packages"/torch/test "$packages"/torch/share "$packages"/torch/lib/*test* \
 && find "$packages/torch" -name '*.a' -delete \
 && find "$packages/torch/bin" -type f ! -name torch_shm_manager -delete \
 && .venv/bin/python -m pip uninstall --quiet --yes pip \
 && .venv/bin/python -c "import torch, torchviz, pygraphviz, pyseccomp, matplotlib.pyplot"

# --- The front end, and the files of the project with their permissions set. What the page knows about torch comes from where torch is.
FROM ${BASE_IMAGE} AS files
WORKDIR /opt/gradroom
COPY bootstrap bootstrap
COPY constraints.txt pyproject.toml package.json package-lock.json .npmrc ./
RUN python3 -m bootstrap packages
COPY static static
COPY --from=environment /opt/gradroom/static/formulas.json /opt/gradroom/static/reference.json static/
COPY lessons lessons
RUN python3 -m bootstrap assets && find static -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
COPY app app
COPY templates templates
RUN chmod -R u=rwX,go=rX app lessons static templates

# --- Caddy with the files that it serves itself. Built only with --target caddy.
FROM ${CADDY_IMAGE} AS caddy
COPY --from=files /opt/gradroom/static/build /srv/static

# --- What runs.
FROM ${BASE_IMAGE}
# The packages of bootstrap/libraries.py.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libexpat1 libglib2.0-0 libseccomp2 libstdc++6 libx11-6 libxext6 libxrender1 \
 && apt-get clean && rm -rf /var/lib/apt/lists/* \
 && groupadd --system --gid 10001 gradroom \
 && useradd --system --uid 10001 --gid gradroom --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin gradroom \
 # The runner, root without the right to override permissions, owns the socket's folder; the web user's group may enter it; learners may not.
 && install -d -o root -g gradroom -m 0750 /run/gradroom \
 && install -d -o gradroom -g gradroom -m 0700 /var/lib/gradroom
WORKDIR /opt/gradroom
COPY --from=environment /opt/gradroom/.venv .venv
COPY --from=files /opt/gradroom/app app
COPY --from=files /opt/gradroom/lessons lessons
COPY --from=files /opt/gradroom/templates templates
COPY --from=files /opt/gradroom/static static
COPY LICENSE ./
RUN .venv/bin/python -m compileall -q app
ENV PATH=/opt/gradroom/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    GRADROOM_STATE_FOLDER=/var/lib/gradroom \
    GRADROOM_LOG_FORMAT=json
USER gradroom
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["gradroom"]
CMD ["serve", "--migrate", "--host", "0.0.0.0", "--port", "8000"]
