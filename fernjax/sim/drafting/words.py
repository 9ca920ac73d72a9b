"""How units, currencies and repetitions are said, and the numbers that people say with them."""

UNIT_WORDS = {
    "km": "km *3 | kilometers *2 | kilometres | k *.2",
    "miles": "miles *6 | mi",
    "m": "meters *2 | metres | m",
    "ft": "feet *2 | ft",
    "inches": "inches",
    "cm": "cm *2 | centimeters",
    "mm": "mm | millimeters",
    "kg": "kg *3 | kilos *2 | kilograms",
    "lbs": "pounds *2 | lbs",
    "g": "grams *2 | g",
    "mg": "mg *2 | milligrams",
    "l": "liters *2 | litres | l",
    "ml": "ml *3 | milliliters",
    "oz": "ounces *2 | oz",
    "cups": "cups",
    "calories": "calories *3 | kcal | cals",
    "kwh": "kwh | kilowatt hours",
    "nights": "nights",
    "steps": "steps",
    "mph": "mph | miles per hour",
    "kmh": "kmh | km an hour",
}
"""How each unit of `fernjax.sim.argument_types.MEASURES` is said behind its number."""

SIZES = {
    "km": "1 2 2.5 3 4 5 5 6 7.5 8 10 10 12 15 20 21 25 30 42 50 100",
    "miles": "1 1.5 2 2.5 3 3 4 5 5 6 8 10 13 15 20 26 30 50",
    "m": "5 10 50 100 200 400 500 800 1000 1500",
    "ft": "3 5 6 8 10 12 20 50 100",
    "inches": "5 8 10 12 16 24 30 40 55 65",
    "cm": "5 10 20 30 50 80 100 150 165 170 180",
    "mm": "2 5 10 20 50",
    "kg": "2 5 10 20 50 58 60 63.5 65 68 70 71.2 72 75 78 80 84 90 95",
    "lbs": "5 10 20 45 100 120 135 150 165 180 200 225",
    "g": "5 10 20 30 50 80 100 120 150 200 250 300 500",
    "mg": "5 10 20 50 100 200 250 400 500 1000",
    "l": "0.5 1 1.5 2 2 3 5 10 20 40 50",
    "ml": "5 10 50 100 150 200 200 250 250 300 330 500 500 750",
    "oz": "4 6 8 8 12 12 16 16 20 24 32",
    "cups": "1 2 2 3 4 5 6 8",
    "calories": "80 100 150 200 250 300 350 400 450 500 600 800 1200 1800 2000",
    "kwh": "5 10 20 40 60",
    "nights": "2 2 3 3 4 5 6 7 10",
    "steps": "500 1000 2000 3000 5000 6000 8000 10000 12000",
    "mph": "5 10 20 30 50",
    "kmh": "10 20 30 50 80",
}
"""Numbers that people say with each unit."""

CURRENCY_WORDS = {
    "USD": "dollars *3 | us dollars *2 | usd", "EUR": "euros *4 | eur",
    "GBP": "pounds *3 | british pounds | gbp",
    "JPY": "yen *3 | japanese yen | jpy", "CAD": "canadian dollars | cad", "AUD": "australian dollars | aud",
    "CHF": "swiss francs | francs | chf", "INR": "rupees *2 | indian rupees | inr",
    "CNY": "yuan | chinese yuan | cny", "MXN": "mexican pesos | pesos | mxn",
}  # fmt: skip
"""How each of `fernjax.sim.tools.CURRENCY_CODES` is said."""

RECURRENCES = {
    "daily": "every day *4 | daily *3 | each day | once a day",
    "weekdays": "on weekdays *3 | every weekday *3 | monday to friday repeating",
    "weekends": "on weekends *3 | every weekend *2 | on saturdays and sundays",
    "weekly": "every week *4 | weekly *4 | once a week *2 | each week",
    "biweekly": "every two weeks *3 | every other week *3 | biweekly",
    "monthly": "every month *4 | monthly *4 | once a month *2",
    "yearly": "every year *4 | yearly *2 | once a year | annually",
}
"""How each of `fernjax.sim.tools.RECURRENCES` is said."""

_DRANK = "(i drank|i had|i just drank|i've had|had|drank)"
_MOVED = "(i ran|i walked|i cycled|i did|i went|i rode|i hiked|i swam|ran|walked|just did)"
MEASURED_DEEDS = {
    **dict.fromkeys(("kg", "lbs"), "(i weigh|i weighed|i weighed in at|i'm at|i'm down to|i'm now)"),
    **dict.fromkeys(("km", "miles", "m"), _MOVED),
    **dict.fromkeys(("ml", "l", "oz", "cups"), _DRANK),
    "calories": "(i burned|i ate|i had|i've had|burned)",
    "steps": "(i walked|i did|i took|i got|i've done)",
    "hours": "(i slept|i did|i spent|i worked|i got|slept|worked)",
    "minutes": "(i did|i spent|i went for|i trained|i worked out)",
}
"""What people did who report a number of a unit."""
