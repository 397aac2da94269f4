internal import EvalLogs
internal import Evals
internal import Formatting

/// Logs of other programs, which are read as they grow while they are shown.
extension EvalPage {
    static func id(ofLog index: Int) -> Int64 { -Int64(index + 1) }

    /// Index of an open log by its number; `nil` for a run of the workspace and for an unknown log.
    func index(ofLog id: Int64) -> Int? { logs.indices.first { Self.id(ofLog: $0) == id } }

    // MARK: Opening

    func openLog(_ path: String) -> Work<Self> {
        read("log \(path)") { desk in
            try desk.open(path).map { ForeignLog(path: path, log: $0, run: $0.run) }
        } then: {
            $0.take($1, from: path)
        } failed: { page, sentence in
            page.fault = page.runs.entries.isEmpty ? sentence : nil
            return []
        }
    }

    private mutating func take(_ found: [ForeignLog], from path: String) -> Work<Self> {
        // Logs from the last session or the sample data need no message.
        let isRestored = paths.contains(path)
        paths.removeAll { $0 == path }
        guard !found.isEmpty else {
            return .notify("\(path): no eval runs found. Open a log or a folder of logs.", .warning)
        }
        // A log that is opened again keeps its number.
        let known = logs.indices.filter { logs[$0].path == path }
        for (index, log) in zip(known, found) { logs[index] = log }
        let id = Self.id(ofLog: known.first ?? logs.count)
        if known.isEmpty { logs += found }
        if wanted == nil || wanted?.run == id { wanted = Place(run: id, sample: wanted?.sample) }
        if !known.isEmpty, open?.id == id { open = nil }
        return [isRestored ? [] : .notify(Self.opened(found), .success), .again("runs"), countErrors(in: path)]
    }

    /// `opened after.jsonl: a log of Orrery, 300 samples`
    private static func opened(_ found: [ForeignLog]) -> String {
        var parts = Set(found.map(\.run.format)).sorted().map(EvalLogFormats.title)
        if found.count > 1 { parts.append(Format.count(found.count, "run")) }
        if found.allSatisfy(\.run.isCounted) {
            parts.append(Format.count(found.reduce(0) { $0 + $1.run.completed }, "sample"))
        }
        return "opened \(fileName(found[0].path)): \(parts.joined(separator: ", "))"
    }

    static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    // MARK: Errors that headers do not report

    /// Larger logs are counted when the cursor reaches them.
    private static let mostCounted = 100_000

    private func countErrors(in path: String) -> Work<Self> {
        Work(
            logs.enumerated().compactMap { index, entry in
                let (log, run, id) = (entry.log, entry.run, Self.id(ofLog: index))
                guard entry.path == path, run.errors == nil, run.isCounted, run.completed <= Self.mostCounted else {
                    return nil
                }
                return background("errors \(id)") { _, cancellation -> Int? in
                    var errors = 0
                    do {
                        _ = try log.readWindows(until: cancellation) { window in
                            errors += window.rows.count { $0.outcome == .error }
                        }
                    } catch is EvalLogError { return nil }  // Reading the samples reports the damage.
                    return errors
                } then: { page, errors in
                    page.set(errors: errors, of: id)
                    return []
                }
            })
    }

    private mutating func set(errors: Int?, of id: Int64) {
        guard let errors, counted[id] == nil else { return }
        counted[id] = errors
        if let run = runs.entry(id)?.run { runs.update(id, counting(run, id)) }
    }

    /// Returns a header with the counted errors if it reports none.
    func counting(_ run: EvalRun, _ id: Int64) -> EvalRun {
        var run = run
        run.errors = run.errors ?? counted[id]
        return run
    }

    /// Shows a new header of a log.
    mutating func update(_ id: Int64, _ header: EvalRun) {
        let run = counting(header, id)
        open?.run = run
        runs.update(id, run)
    }

    // MARK: Growing logs

    /// Looks once per second whether another program has written to the open log.
    func follow() -> Work<Self> {
        .wait("follow", .seconds(1)) { page in
            guard let open = page.open, open.id < 0 else { return [] }
            let (log, id) = (open.log, open.id)
            return page.read("look") { _ in
                (log.refresh(), log.run)
            } then: { page, found in
                page.open?.id == id ? [page.take(found.0, found.1), page.follow()] : []
            }
        }
    }

    /// Takes a look at the open log, which may have changed.
    private mutating func take(_ change: EvalLogChange, _ run: EvalRun) -> Work<Self> {
        guard let open, change != .none || counting(run, open.id) != open.run || open.hasNews else { return [] }
        if let index = index(ofLog: open.id) { logs[index].run = run }
        update(open.id, run)
        if change == .replaced {
            self.open = nil
            return show(open.id)
        }
        // Rows that are written during reading are read afterwards.
        let hasNews = change == .grown || open.hasNews
        self.open?.hasNews = hasNews && !open.isRead
        guard hasNews, open.isRead else { return [] }
        // A run that ended is read again, with its slices.
        return run.state == .running ? readRows(open, from: open.index.count) : show(open.id)
    }
}
