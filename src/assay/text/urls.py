"""One page, one address."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

_TRACKING = re.compile(r"^(?:utm_|fbclid|gclid|mc_|ref$|source$)")


def normalise_url(url: str) -> str:
    """One page, one address: no scheme, no www, no tracking, no fragment, no closing slash."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    asked = sorted((key, value) for key, value in parse_qsl(parts.query) if not _TRACKING.match(key))
    # Half a surrogate pair, which JSON files can smuggle into an address, differs from any other.
    query = urlencode(asked, errors="surrogatepass")
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}{'?' + query if query else ''}"
