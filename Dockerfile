# The site as one image; `compose.yaml` starts it three times, as web, worker and reaper.
FROM python:3.11-slim AS build
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY proofing ./proofing
# torch's CPU build, and nothing of the tools for development
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --constraint constraints.txt --index-url https://download.pytorch.org/whl/cpu torch \
 && /venv/bin/pip install --no-cache-dir --constraint constraints.txt --editable '.[standard,deep,web]'

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 proofmark \
 && install -d -o proofmark -g proofmark /var/lib/proofmark
WORKDIR /app
COPY --from=build /venv /venv
COPY . .
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1 DATA_DIR=/var/lib/proofmark PROOFMARK_STATIC_ROOT=/app/static-collected
# Settings are only needed to find the files; none of these values ends up in the image's environment.
RUN PROOFMARK_MODE=production SECRET_KEY=only-for-collectstatic-at-build-time-0000 ALLOWED_HOSTS=build DATABASE_URL=sqlite:////tmp/none \
    REDIS_URL=redis://none DATA_DIR=/tmp/build python manage.py collectstatic --noinput && rm -rf /tmp/build
USER proofmark
VOLUME /var/lib/proofmark
EXPOSE 8000
CMD ["gunicorn", "webapp.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--workers", "4", "--threads", "8"]
