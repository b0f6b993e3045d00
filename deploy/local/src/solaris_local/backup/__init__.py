"""Back-up and restore of a local league: four databases at one consistent cut, and the keys if asked for."""
