package import Bytes
internal import EvalLogs
internal import LanguageModels

// The options, the progress, and the figures of a run, as bytes.

extension EvalOptions: Packed {
    private static let version: UInt8 = 1

    package func pack(into writer: inout PackedWriter) {
        writer.write(
            Self.version, name, concurrency, isAdaptive, limit, only.sorted(), epochs, seed, usesCache, retries)
        writer.write(budget.requests, budget.tokens, budget.cost, budget.seconds, group)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        try reader.version(upTo: Self.version)
        self.init(
            name: try reader.next(), concurrency: try reader.next(), isAdaptive: try reader.next(),
            limit: try reader.next(), only: Set(try reader.next([String].self)), epochs: try reader.next(),
            seed: try reader.next(), usesCache: try reader.next(), retries: try reader.next(),
            budget: EvalBudget(
                requests: try reader.next(), tokens: try reader.next(), cost: try reader.next(),
                seconds: try reader.next()),
            group: try reader.next())
    }
}

extension EvalProgress: Packed {
    private static let version: UInt8 = 1

    package func pack(into writer: inout PackedWriter) {
        writer.write(Self.version, run, completed, total, failed, errors, unscored, cached, working, concurrency)
        writer.write(rate, remaining, usage, cost, latency, waits, score, isUsageUntold, oldest)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        try reader.version(upTo: Self.version)
        self.init(run: try reader.next(), total: 0, concurrency: 0)
        completed = try reader.next()
        total = try reader.next()
        failed = try reader.next()
        errors = try reader.next()
        unscored = try reader.next()
        cached = try reader.next()
        working = try reader.next()
        concurrency = try reader.next()
        rate = try reader.next()
        remaining = try reader.next()
        usage = try reader.next()
        cost = try reader.next()
        latency = try reader.next()
        waits = try reader.next()
        score = try reader.next()
        isUsageUntold = try reader.next()
        oldest = try reader.next()
    }
}

extension EvalProgress.Latency: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(median, p95, p99) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(median: try reader.next(), p95: try reader.next(), p99: try reader.next())
    }
}

extension EvalProgress.Wait: Packed {
    private static let causes: [Cause] = [.rateLimit, .retry, .queued, .paused]

    package func pack(into writer: inout PackedWriter) {
        writer.write(UInt8(Self.causes.firstIndex(of: cause) ?? 0), count, seconds, detail)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        let cause = Int(try reader.next(UInt8.self))
        guard Self.causes.indices.contains(cause) else { throw reader.failure("unknown cause \(cause) of waiting") }
        self.init(
            cause: Self.causes[cause], count: try reader.next(), seconds: try reader.next(), detail: try reader.next())
    }
}

extension EvalScoreKind: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(name, higherIsBetter, passesAt) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(try reader.next(), higherIsBetter: try reader.next(), passesAt: try reader.next())
    }
}

extension EvalSetting: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write([name, value]) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        let words: [String] = try reader.next()
        guard words.count == 2 else { throw reader.failure("a setting has \(words.count) words instead of 2") }
        self.init(words[0], words[1])
    }
}

extension EvalMetric: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(score, name, value, standardError, lower, upper, level, count, higherIsBetter, note)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init(
            score: try reader.next(), name: try reader.next(), value: try reader.next(),
            standardError: try reader.next(), lower: try reader.next(), upper: try reader.next(),
            level: try reader.next(), count: try reader.next(), higherIsBetter: try reader.next(),
            note: try reader.next())
    }
}

/// The head of a run, fixed at its start.
package struct RunHead: Packed {
    var scores: [EvalScoreKind] = []
    var slices: [String] = []
    var settings: [EvalSetting] = []

    package func pack(into writer: inout PackedWriter) { writer.write(UInt8(1), scores, slices, settings) }
}

extension RunHead {
    package init(from reader: inout ByteReader) throws(ByteDamage) {
        try reader.version(upTo: 1)
        self.init(scores: try reader.next(), slices: try reader.next(), settings: try reader.next())
    }
}

/// The final figures of a run.
package struct RunMetrics: Packed {
    var metrics: [EvalMetric]

    package func pack(into writer: inout PackedWriter) { writer.write(UInt8(1), metrics) }
}

extension RunMetrics {
    package init(from reader: inout ByteReader) throws(ByteDamage) {
        try reader.version(upTo: 1)
        self.init(metrics: try reader.next())
    }
}
