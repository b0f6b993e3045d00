"""Questions to a running process over its own HTTP port, without any HTTP library to import."""

import http.client


def get(port: int, path: str, seconds: float = 2.0) -> tuple[int, bytes]:
    """Status and body of one GET on the loopback address; status 0 if nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def ready(port: int) -> bool:
    """True if the process says it can serve."""
    return get(port, "/health/ready")[0] == 200
