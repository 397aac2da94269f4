/// The tables of kernel measurements, as SQL.
///
/// - `kernel_machine`: what decides how fast a kernel can be, one line each; figures of two machines never meet.
/// - `kernel_ceilings`: one measurement of the ceilings, as JSON.
/// - `kernel_use`: an operation with its sizes, so that other things can refer to it by number.
/// - `kernel_run`: one measured rung. `rounds` holds the ratios to the ceiling of each
///   sample, in ten-thousandths; `ceiling_rate` is what the ceiling reached next to the kernel.
enum KernelSchema {
    static let tables = """
        CREATE TABLE kernel_machine (
            id INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE kernel_ceilings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            machine INTEGER NOT NULL REFERENCES kernel_machine(id),
            measured REAL NOT NULL,
            standing TEXT NOT NULL,
            figures TEXT NOT NULL
        ) STRICT;
        CREATE INDEX kernel_ceilings_by_machine ON kernel_ceilings(machine, id);
        CREATE TABLE kernel_use (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            operation TEXT NOT NULL,
            shape TEXT NOT NULL,
            UNIQUE (operation, shape)
        ) STRICT;
        CREATE TABLE kernel_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            use INTEGER NOT NULL REFERENCES kernel_use(id),
            variant TEXT NOT NULL,
            threads INTEGER NOT NULL,
            machine INTEGER NOT NULL REFERENCES kernel_machine(id),
            commit_id TEXT,
            source_digest TEXT NOT NULL,
            measured REAL NOT NULL,
            ceiling TEXT NOT NULL,
            share REAL NOT NULL,
            share_low REAL NOT NULL,
            share_high REAL NOT NULL,
            rate REAL NOT NULL,
            best REAL NOT NULL,
            byte_rate REAL NOT NULL,
            samples INTEGER NOT NULL,
            standing TEXT NOT NULL,
            reliable INTEGER NOT NULL,
            verdict TEXT NOT NULL,
            baseline REAL,
            threshold REAL,
            rounds TEXT NOT NULL
        ) STRICT;
        CREATE INDEX kernel_run_by_use ON kernel_run(use, variant, threads, machine, id);
        """

    static let ceilingRates = "ALTER TABLE kernel_run ADD COLUMN ceiling_rate REAL"
}
