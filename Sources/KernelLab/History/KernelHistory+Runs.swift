internal import GRDB
internal import Hashing
internal import Kernels
internal import Workspace

extension KernelHistory {
    /// Which runs are asked for; nil means any.
    public struct Selection: Hashable, Sendable {
        public var operation: String?
        public var variant: String?
        /// As `KernelShape.description` has it.
        public var shape: String?
        public var threads: Int?
        /// `Machine.identity`.
        public var machine: String?

        public init(
            operation: String? = nil, variant: String? = nil, shape: String? = nil, threads: Int? = nil,
            machine: String? = nil
        ) {
            self.operation = operation
            self.variant = variant
            self.shape = shape
            self.threads = threads
            self.machine = machine
        }
    }

    /// Runs for a chart or a list, the newest last.
    ///
    /// - Parameter limit: Maximum number of runs, newest first.
    public func runs(_ selection: Selection = Selection(), limit: Int = 100) throws -> [KernelRun] {
        try workspace.read { db in try Self.runs(selection, limit: limit, db) }
    }

    /// Runs that were found slower than before, the newest last.
    public func regressions(_ selection: Selection = Selection(), limit: Int = 100) throws -> [Regression] {
        try workspace.read { db in
            try Self.runs(selection, and: "AND run.verdict = 'regressed'", limit: limit, db).compactMap(Regression.init)
        }
    }

    /// Keeps the measured rungs of a report and judges each by the runs before it.
    ///
    /// A rung that is suspiciously low is kept as suspected: `measure` would have measured it again.
    ///
    /// - Parameter commit: what is checked out; nil reads it around the current folder.
    /// - Returns: the runs with their numbers, in the order of the report.
    @discardableResult
    public func record(
        _ report: KernelReport, commit: String? = nil, test: RegressionTest = RegressionTest()
    ) throws -> [KernelRun] {
        let runs = try Self.runs(of: report, commit: commit ?? GitHead.commit()).map { run in
            Confirmation(first: run, earlier: try baseline(of: run), test: test).result
        }
        return try insert(runs)
    }

    /// Says that the level of a run is wanted: later runs are compared with it and what follows, not with the past.
    public func accept(_ run: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE kernel_run SET verdict = 'accepted' WHERE id = ?", arguments: [run])
        }
    }

    // MARK: Within the module

    /// - Parameter source: digest of the user's kernel; nil takes that of the catalog's variant.
    static func runs(of report: KernelReport, commit: String?, source: String? = nil) -> [KernelRun] {
        // Failure is harmless: a kernel that the catalog does not have is the user's own.
        let variants = (try? KernelCatalog.operation(report.operation))?.variants ?? []
        return report.rungs.compactMap { rung in
            let text = variants.first { $0.name == rung.name }?.sourceText ?? ""
            return KernelRun(rung, of: report, commit: commit, sourceDigest: source ?? digest(text))
        }
    }

    /// The shares that a run is compared with, the oldest first.
    func baseline(of run: KernelRun) throws -> [Double] {
        let selection = Selection(
            operation: run.operation, variant: run.variant, shape: run.shape, threads: run.threads,
            machine: run.machine)
        return Self.baseline(try runs(selection, limit: 200).filter { $0.ceiling == run.ceiling })
    }

    /// Shares that count: good ones, starting at the last accepted level.
    static func baseline(_ runs: [KernelRun]) -> [Double] {
        let start = runs.lastIndex { $0.verdict == .accepted } ?? runs.startIndex
        return runs[start...].filter(\.isBaseline).map(\.share)
    }

    func insert(_ runs: [KernelRun]) throws -> [KernelRun] {
        try workspace.write { db in try runs.map { try Self.insert($0, db) } }
    }

    private static func insert(_ run: KernelRun, _ db: Database) throws -> KernelRun {
        var run = run
        let sql = """
            INSERT INTO kernel_run (use, variant, threads, machine, commit_id, source_digest, measured, ceiling, share,
                share_low, share_high, rate, best, byte_rate, samples, standing, reliable, verdict, baseline, threshold,
                rounds, ceiling_rate)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let use = try number(ofUse: run.operation, shape: run.shape, db)
        let machine = try number(ofMachine: run.machine, db)
        var arguments: StatementArguments = [use, run.variant, run.threads, machine, run.commit, run.sourceDigest]
        arguments += [run.measuredAt, run.ceiling, run.share, run.shareLow, run.shareHigh, run.rate, run.best]
        arguments += [run.bytesPerSecond, run.samples, run.standing.rawValue, run.isReliable, run.verdict.rawValue]
        arguments += [run.baseline, run.threshold, CompactRatios.encode(run.rounds), run.ceilingRate]
        try db.execute(sql: sql, arguments: arguments)
        run.id = db.lastInsertedRowID
        return run
    }

    private static func runs(
        _ selection: Selection, and condition: String = "", limit: Int, _ db: Database
    ) throws -> [KernelRun] {
        let sql = """
            SELECT run.*, use.operation, use.shape, kernel_machine.identity FROM kernel_run AS run
            JOIN kernel_use AS use ON use.id = run.use JOIN kernel_machine ON kernel_machine.id = run.machine
            WHERE (?1 IS NULL OR use.operation = ?1) AND (?2 IS NULL OR run.variant = ?2)
                AND (?3 IS NULL OR use.shape = ?3) AND (?4 IS NULL OR run.threads = ?4)
                AND (?5 IS NULL OR kernel_machine.identity = ?5) \(condition)
            ORDER BY run.id DESC LIMIT ?6
            """
        let arguments: StatementArguments = [
            selection.operation, selection.variant, selection.shape, selection.threads, selection.machine, limit,
        ]
        return try Row.fetchAll(db, sql: sql, arguments: arguments).reversed().map(KernelRun.init)
    }
}

extension KernelRun {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], operation: row["operation"], variant: row["variant"], shape: row["shape"],
            threads: row["threads"], machine: row["identity"], commit: row["commit_id"],
            sourceDigest: row["source_digest"], measuredAt: row["measured"], ceiling: row["ceiling"],
            ceilingRate: row["ceiling_rate"], share: row["share"], shareLow: row["share_low"],
            shareHigh: row["share_high"], rate: row["rate"],
            best: row["best"], bytesPerSecond: row["byte_rate"], samples: row["samples"],
            standing: MeasurementConditions.Standing(rawValue: row["standing"]) ?? .void, isReliable: row["reliable"],
            verdict: Verdict(rawValue: row["verdict"]) ?? .unjudged, baseline: row["baseline"],
            threshold: row["threshold"], rounds: CompactRatios.decode(row["rounds"]))
    }

    mutating func apply(_ judgement: RegressionTest.Judgement, verdict: Verdict) {
        self.verdict = verdict
        baseline = judgement.baseline
        threshold = judgement.threshold
    }
}

/// 64 bits that tell texts apart, as 16 hexadecimal digits. Source: Fowler, Noll, Vo, FNV-1a.
func digest(_ text: String) -> String {
    FNV1a.hexadecimal(text)
}
