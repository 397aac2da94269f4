internal import Bytes
internal import EvalLogs
internal import JSON
internal import LanguageModels
internal import Workspace

/// A run as stored in its row.
struct StoredRun: Sendable {
    var id: Int64
    var run: EvalRun
    var arguments: [String]
    var path: String?
    var format: String
    var digest: String
    var identity: String
    var options: EvalOptions
    var epochs: Int
    var total: Int
    var group: String?
    var prompt: String?
    var spent: EvalSpending
    var failed: Int
    var errors: Int
    var job: Int64?
    /// Parts of the row that cannot be read and have defaults instead; empty for an intact run.
    var damage: [String] = []

    static let columns = """
        id, name, task, task_version, task_format, task_path, digest, model, identity, arguments, options, run_group,
        prompt, epochs, total, head, state, problem, completed, failed, errors, requests, input, cache_read,
        cache_write, output, reasoning, cost, seconds, metrics, job, started, ended, unscored, cached
        """

    init(_ row: Workspace.Statement) throws {
        id = row.int64(0)
        var damage: [String] = []
        func read<Value>(_ part: String, or substitute: Value, _ body: () throws -> Value?) -> Value {
            // A damaged part is named in the run's problem, so that the rest can still be seen and deleted.
            if let value = try? body() { return value }
            damage.append(part)
            return substitute
        }
        let head = read("header", or: RunHead()) { try Self.unpack(row.blob(15), RunHead.self) }
        let metrics =
            row.isNull(29)
            ? [] : read("metrics", or: []) { try Self.unpack(row.blob(29), RunMetrics.self).metrics }
        let state = read("state", or: .failed) { EvalRun.State(rawValue: row.text(16)) }
        let usage = Usage(
            input: row.int(22), cacheRead: row.int(23), cacheWrite: row.int(24), output: row.int(25),
            reasoning: row.int(26))
        spent = EvalSpending(
            requests: row.int(21), usage: usage, cost: row.optionalDouble(27), seconds: row.double(28))
        total = row.int(14)
        let isTold = spent.requests == 0 || usage.total > 0
        run = EvalRun(
            key: String(id), name: row.text(1), task: row.text(2), taskVersion: row.text(3), model: row.text(7),
            format: "orrery", state: state, problem: row.optionalText(17),
            start: row.int64(31), end: row.optionalInt(32).map(Int64.init), total: total, completed: row.int(18),
            scores: head.scores, slices: head.slices, metrics: metrics,
            // Every request uses tokens: a sum of 0 means that neither usage nor cost was reported.
            usage: isTold ? usage : nil, cost: isTold ? spent.cost : nil, settings: head.settings,
            errors: row.int(20))
        run.unscored = row.optionalInt(33)
        run.cached = row.optionalInt(34)
        run.workSeconds = spent.seconds
        arguments = read("arguments", or: []) {
            try JSONValue(json: row.text(9)).elements?.compactMap(\.string)
        }
        path = row.optionalText(5)
        format = row.text(4)
        digest = row.text(6)
        identity = row.text(8)
        options = read("options", or: EvalOptions()) { try Self.unpack(row.blob(10), EvalOptions.self) }
        epochs = max(1, row.int(13))
        group = row.optionalText(11)
        prompt = row.optionalText(12)
        // A limit above the number of samples excludes none.
        let (asked, limit) = (total / epochs, options.limit ?? .max)
        run.isSubset = !options.only.isEmpty || asked >= limit
        failed = row.int(19)
        errors = row.int(20)
        job = row.optionalInt(30).map(Int64.init)
        self.damage = damage
        run.problem = run.problem ?? damageNote
    }

    /// Sentence about damaged parts; `nil` for an intact run.
    var damageNote: String? {
        guard !damage.isEmpty else { return nil }
        return "The stored \(damage.joined(separator: ", ")) of run \(id) cannot be read. Delete the run and repeat it."
    }

    private static func unpack<Value: Packed>(
        _ bytes: UnsafeRawBufferPointer, _ type: Value.Type
    ) throws(ByteDamage) -> Value {
        var reader = ByteReader(bytes)
        return try reader.next()
    }
}
