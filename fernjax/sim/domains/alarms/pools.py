"""What people set alarms and timers for. Written for this project."""

from __future__ import annotations


def _lines(text: str) -> tuple[str, ...]:
    """The values of a text, one a comma or line."""
    return tuple(dict.fromkeys(v.strip() for v in text.replace("\n", ",").split(",") if v.strip()))


ALARM_NOUNS = _lines("""
gym, work, school, school run, school bus, church, yoga, pilates, meditation, medication, meds, vitamins
pills, insulin, antibiotics, eye drops, workout, run, swim practice, swimming, football practice
band practice, jog, walk, bedtime, nap, power nap, study time, homework, piano practice, prayer, fajr
quiet time, feeding, baby, baby bottle, night feed, dog walk, dog, cat, chickens, garden, sprinklers
trash day, bins, recycling, laundry, meal prep, lunch, lunch break, dinner, breakfast, tea time, coffee
coffee break, snack, water, hydration, stretching, stretch, posture, physio, doctor, dentist
dentist appointment, appointment, checkup, interview, job interview, meeting, team meeting, standup
conference call, call, night shift, early shift, shift, commute, bus, train, flight, airport
airport pickup, taxi, carpool, pick up, daycare, kindergarten, kids, ballet, karate, tennis, golf
spin class, class, chemistry class, exam, final exam, lecture, tutoring, tv show, game, kickoff
livestream, podcast, fasting, end of fast, suhoor, iftar, parking meter, parking, street sweeping, rent
bills, market, fishing, hike, hunting, road trip, blood pressure, inhaler, allergy pill, birth control
contacts, face mask, hair mask, haircut, delivery, plumber, stand up, backup, wake up, wake up call
screen time, journaling, journal, sunrise, sunset, rehearsal, choir, weigh in, bin night, garbage day
recycling day, market day, exam day, match day, race day, travel day, laundry day, school trip, field trip
pe kit, swimming lesson, driving lesson, guitar lesson, piano lesson, violin practice, drum practice
football, soccer, cricket, rugby, hockey, netball, badminton, dance class, boxing, crossfit, rowing
parents evening, assembly, lab, seminar, revision, thesis, deadline, timesheet, payroll, invoice, stand down
check in, check out, boarding, gate, ferry, coach, tram, school pickup, nursery run, nursery, babysitter
cleaner, gardener, window cleaner, plumber visit, vet, vet appointment, dog pills, cat food, fish tank
horses, goats, milking, night light, nappy change, potty, bath time, story time, lights out, quiet hour
physiotherapy, dialysis, chemo, scan, x ray, blood test, flu jab, injection, iron tablets, fish oil, cream
nasal spray, thyroid pill, blood sugar, water break, eye rest, prayer time, dhuhr, asr, maghrib, isha, mass
sunday school, bible study, temple, puja, shabbat, carol service, taxi rank, early train, red eye, layover
night feeds, early bird, late shift, day shift, on call, handover, ward round, opening up, closing time
sourdough, bread, slow cooker, roast, bbq, brunch, elevenses, supper, kettle, heating, boiler, hot water
washing, tumble dryer, ironing, vacuuming, plants, tomatoes, greenhouse, car wash, mot, oil change
charity run, marathon, triathlon, ski trip, camping, beach, zoo, birthday, party, anniversary, date night
""")
"""Nouns that an alarm is labelled with ("the gym alarm")."""

ALARM_TASKS = _lines("""
take my pills, take my medicine, take my meds, take out the trash, take the dog out, take my vitamins
take a nap, take a break, take the bins out, walk the dog, feed the cat, feed the baby, feed the fish
feed the chickens, wake the kids, wake up the kids, get the kids up, pick up the kids, pick up my daughter
pick up the dry cleaning, pick up the pizza, leave for work, leave for school, leave for the airport
leave the house, leave the office, leave for my appointment, catch the bus, catch the train
catch my flight, go to work, go to bed, go to sleep, go to the gym, go for a run, go to church, go to yoga
go to the bank, go to the dentist, get ready for work, get ready for school, get ready, get dressed
get up and stretch, get out of bed, start work, stop work, start dinner, start cooking, start the laundry
start studying, stop studying, finish my homework, log off, log in, turn off the oven
turn off the sprinklers, turn the oven on, check the oven, check the roast, check on the baby
check the laundry, check my blood pressure, check my blood sugar, check the mail, move the car
feed the meter, pay the parking, pay the rent, call my mom, call the doctor, call the bank
call the office, call grandma, join the call, join the meeting, drink water, eat lunch, eat breakfast
eat something, have lunch, make dinner, make lunch, make coffee, make the bottles, pack lunches
pack my bag, charge my phone, charge the car, water the plants, water the garden, do the dishes
do my homework, do yoga, do my stretches, do the laundry, practice piano, practice guitar, study spanish
study for the exam, read to the kids, brush my teeth, wash the car, change the filter, change the bandage
put the chicken in, put the bins out, put the kids to bed, put on sunscreen, watch the game
watch the news, meet the contractor, meet the plumber, let the dog out, let the cat in, lock up, stand up
stretch my legs, rest my eyes, meditate, pray, work out, exercise, shower, bake the bread, check in
water the lawn, clock out, clock in, submit my timesheet, send the report, set the table
unload the dishwasher
""")
"""What an alarm is set to do ("an alarm to walk the dog")."""

TIMER_NOUNS = _lines("""
pasta, eggs, egg, rice, pizza, chicken, roast, roast beef, turkey, cake, cookies, bread, brownies, muffins
pie, tea, coffee, french press, green tea, lasagna, potatoes, baked potatoes, sweet potatoes, fries, steak
salmon, fish, ribs, bacon, sausages, oven, oven fries, stew, soup, chili, beans, lentils, quinoa, noodles
ramen, spaghetti, broccoli, asparagus, corn, veggies, vegetables, popcorn, garlic bread, casserole, quiche
souffle, pancakes, waffles, toast, dough, pizza dough, bread dough, rising dough, sourdough, gravy, sauce
meatballs, burgers, grill, bbq, smoker, brisket, slow cooker, pressure cooker, instant pot, air fryer
rice cooker, microwave, kettle, kitchen, laundry, washer, dryer, washing machine, dishwasher, spin cycle
nap, power nap, workout, plank, stretching, hiit, sprint, run, rest, break, work break, study session
study, focus, pomodoro, homework, reading, meditation, yoga, breathing, exam, quiz, debate, presentation
speech, game, chess, turn, board game, screen time, tablet time, video game, tv, time out, bath, shower
face mask, hair dye, hair, conditioner, teeth, tooth brushing, mouthwash, ice pack, heating pad
parking meter, parking, sprinklers, hose, charging, glue, paint, primer, varnish, epoxy, nail polish
ice bath, sauna, cold plunge, piano, guitar practice, violin, cleanup, cleaning, chores, oil change
marinade, jello, ice cream, fudge, caramel, custard, curry, dumplings, scones, crumble, jacket potato
pork chops, lamb, duck, porridge, oatmeal, risotto, frittata, croissants, cupcakes, cheesecake, banana bread
meatloaf, carrots, peas, hot dogs, wings, tofu, kimchi, yogurt, jam, pickles, steamer, sous vide, espresso
cold brew, moka pot, chai, herbal tea, mud mask, toner, bleach, perm, hot towel, foot soak, contact lenses
push ups, squats, wall sit, skipping, boxing round, spin, treadmill, rowing, cool down, warm up, handstand
spelling, maths, times tables, typing test, mock exam, reading time, story time, tidy up, quiet time, recess
timeout, naughty step, xbox, ipad, minecraft, puzzle, scrabble, charades, pictionary, round one
lightning talk
rice pudding, ironing, descaler, drain cleaner, oven cleaner, dishwasher cycle, quick wash, resin, grout
plaster, sealant, varnish coat, filler, soldering, printer, download, kiln, sprinkler, paddling pool, pool
""")
"""Nouns that a timer is for ("the pasta timer")."""

TIMER_DISHES = _lines("""
pasta, eggs, rice, pizza, chicken, roast, roast beef, turkey, cake, cookies, bread, brownies, muffins, pie
lasagna, potatoes, baked potatoes, sweet potatoes, fries, steak, salmon, fish, ribs, bacon, sausages, stew
soup, chili, beans, lentils, quinoa, noodles, ramen, spaghetti, broccoli, asparagus, corn, veggies
vegetables, popcorn, garlic bread, casserole, quiche, pancakes, waffles, dough, pizza dough, gravy, sauce
meatballs, burgers, brisket, curry, dumplings, scones, flapjacks, crumble, shepherd's pie, fish fingers
chicken nuggets, jacket potato, pork chops, lamb, duck, ham, stuffing, porridge, oatmeal, couscous, risotto
paella, tacos, enchiladas, quesadillas, frittata, omelette, croissants, rolls, buns, biscuits, cupcakes
cheesecake, pudding, banana bread, cornbread, meatloaf, pot roast, carrots, peas, cauliflower, sprouts
hot dogs, dal, samosas, naan, wings, tofu, shrimp, lobster, clams, beets, squash, pumpkin pie, apple pie
""")
"""What cooks while a timer runs ("the pasta is in")."""

TIMER_TASKS = _lines("""
boil the eggs, cook the pasta, bake the cookies, bake the cake, steep the tea, brew the coffee
grill the steak, roast the potatoes, flip the burgers, flip the steak, turn the chicken, stir the soup
check the oven, check the roast, check the turkey, take the bread out, take the pizza out
take the cake out of the oven, drain the pasta, rest the dough, proof the bread, preheat the oven
chill the wine, freeze the jello, defrost the chicken, soak the beans, marinate the meat, move the laundry
switch the laundry, empty the dryer, unload the washer, hang the washing, brush my teeth, hold a plank
do a plank, stretch, meditate, nap, rest my eyes, take a break, study, read, practice guitar
practice piano, clean the kitchen, clean my room, tidy up, do the dishes, get dressed, rinse my hair
wash out the dye, take off the face mask, ice my knee, turn off the hose, turn off the sprinklers
move the car, feed the meter, let the glue dry, let the paint dry, charge my phone, call back the bank
walk the dog, leave the house, finish the test, finish the quiz, take a shower, soak my feet
play video games, cool the cake
""")
"""What a timer is set to do ("a timer to boil the eggs")."""

POOLS = {
    "alarm_nouns": ALARM_NOUNS,
    "alarm_tasks": ALARM_TASKS,
    "timer_dishes": TIMER_DISHES,
    "timer_nouns": TIMER_NOUNS,
    "timer_tasks": TIMER_TASKS,
}
