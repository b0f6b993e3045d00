"""Titles of refusals by their status, in Spanish and English; nothing is needed to read them."""

TITLES = {
    400: ("Petición incorrecta", "Bad request"),
    401: ("Hay que identificarse", "Log in first"),
    403: ("No permitido", "Not allowed"),
    404: ("No encontrado", "Not found"),
    405: ("Método no admitido", "Method not allowed"),
    408: ("Demasiado lento", "Too slow"),
    409: ("Conflicto", "Conflict"),
    412: ("La versión ya no es la actual", "The version is no longer current"),
    413: ("Demasiado grande", "Too large"),
    415: ("Tipo de contenido no admitido", "Unsupported media type"),
    422: ("Datos no válidos", "Invalid data"),
    428: ("Falta la precondición", "Precondition required"),
    429: ("Demasiadas peticiones", "Too many requests"),
    431: ("Cabeceras demasiado grandes", "Headers too large"),
    500: ("Error interno", "Internal error"),
    503: ("No disponible por ahora", "Not available now"),
}
