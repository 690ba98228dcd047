USE "fresh"."main"
