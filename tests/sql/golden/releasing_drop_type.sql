DROP TYPE "memory"."main"."held"
