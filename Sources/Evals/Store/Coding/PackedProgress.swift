internal import LanguageModels

// The progress of a running evaluation, as bytes.

extension EvalProgress: Packed {
    private static let version: UInt8 = 1

    package func pack(into writer: inout PackedWriter) {
        writer.write(tag: Self.version)
        writer.write(run)
        for count in [completed, total, failed, errors, unscored, cached, working, concurrency] { writer.write(count) }
        writer.write(rate)
        writer.write(remaining)
        writer.write(usage)
        writer.write(cost)
        writer.write(latency)
        writer.write(waits)
        writer.write(score)
        writer.write(tag: isUsageUntold ? 1 : 0)
        writer.write(oldest)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        guard try reader.tag() == Self.version else { throw PackedReader.Damage() }
        self.init(run: try reader.int64(), total: 0, concurrency: 0)
        completed = try reader.int()
        total = try reader.int()
        failed = try reader.int()
        errors = try reader.int()
        unscored = try reader.int()
        cached = try reader.int()
        working = try reader.int()
        concurrency = try reader.int()
        rate = try reader.double()
        remaining = try reader.optional()
        usage = try reader.value()
        cost = try reader.optional()
        latency = try reader.optional()
        waits = try reader.array()
        score = try reader.optional()
        isUsageUntold = try reader.tag() != 0
        oldest = try reader.optional()
    }
}

extension EvalProgress.Latency: Packed {
    package func pack(into writer: inout PackedWriter) {
        for seconds in [median, p95, p99] { writer.write(seconds) }
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        self.init(median: try reader.double(), p95: try reader.double(), p99: try reader.double())
    }
}

extension EvalProgress.Wait: Packed {
    private static let causes: [Cause] = [.rateLimit, .retry, .queued, .paused]

    package func pack(into writer: inout PackedWriter) {
        writer.write(tag: UInt8(Self.causes.firstIndex(of: cause) ?? 0))
        writer.write(count)
        writer.write(seconds)
        writer.write(detail)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        let cause = Int(try reader.tag())
        guard Self.causes.indices.contains(cause) else { throw PackedReader.Damage() }
        self.init(
            cause: Self.causes[cause], count: try reader.int(), seconds: try reader.optional(),
            detail: try reader.text())
    }
}
