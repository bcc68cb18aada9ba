"""The reason phrases of HTTP statuses, in lower case."""

from collections.abc import Mapping
from http import HTTPStatus

PHRASES: Mapping[str, int] = {
    **{
        s.phrase.lower(): s.value
        for s in HTTPStatus
        if s.value >= HTTPStatus.BAD_REQUEST
    },
    "unprocessable entity": 422,
    "payload too large": 413,
    "request entity too large": 413,
    "request-uri too long": 414,
    "service temporarily unavailable": 503,
    "gateway time-out": 504,
    "request time-out": 408,
    "gateway timeout": 504,
    "authorization required": 401,
}
