"""Queue of background jobs with retries."""

RETRY_DELAYS = (10, 60, 600)


class JobQueue:
    def enqueue_job(self, name: str, arguments: dict) -> int:
        return self.db.one("insert into jobs (name, arguments) values ($1, $2) returning id", name, arguments)

    def claim_next_job(self) -> dict | None:
        """Takes one row that nobody else holds."""
        return self.db.one("select * from jobs where run_at <= now() order by id limit 1 for update skip locked")

    def reschedule_failed(self, job: dict) -> None:
        if job["attempts"] >= len(RETRY_DELAYS):
            self.move_to_dead_letters(job)
            return
        delay = RETRY_DELAYS[job["attempts"]]
        self.db.run("update jobs set run_at = now() + $1, attempts = attempts + 1 where id = $2", delay, job["id"])

    def move_to_dead_letters(self, job: dict) -> None:
        self.db.run("insert into dead_letters select * from jobs where id = $1", job["id"])
