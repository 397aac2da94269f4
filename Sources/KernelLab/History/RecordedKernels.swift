internal import Glibc
internal import JSON
internal import Kernels
internal import System
internal import Workspace

extension KernelHistory {
    /// Adds ceilings and runs that another machine measured: `{"ceilings": ..., "runs": [...]}`, as `kernel ceilings --json`
    /// and `kernel history --json` print them.
    ///
    /// The figures keep that machine's name, and nothing measured here is compared with them.
    ///
    /// - Returns: the number of added runs.
    /// - Throws: `Problem`, `JSONError`.
    @discardableResult
    public func addRecorded(_ path: String) throws -> Int {
        let (ceilings, runs) = try Self.recorded(path)
        try save(ceilings)
        return try insert(runs).count
    }

    private static func recorded(_ path: String) throws -> (Ceilings, [KernelRun]) {
        guard let text = SmallFile.content(path, limit: .max) else {
            throw Problem(.invalid, path, "expected the ceilings and runs of one machine")
        }
        return try JSONParser().parse(text) { node in
            guard let ceilings = node["ceilings"].flatMap(Ceilings.init), let runs = node["runs"]?.all(KernelRun.init),
                runs.allSatisfy({ $0.machine == ceilings.machine.identity })
            else { throw Problem(.invalid, path, "expected the ceilings and runs of one machine") }
            return (ceilings, runs)
        }
    }

}

extension KernelRun {
    /// Reads the output of `write(to:)`, which omits individual samples.
    init?(_ node: JSONNode) {
        guard let operation = node["operation"]?.string, let variant = node["variant"]?.string,
            let shape = node["shape"]?.string, let threads = node["threads"]?.count(in: 1...1 << 16),
            let machine = node["machine"]?.string, let digest = node["source_digest"]?.string,
            let measuredAt = node["measured_at"]?.double, let ceiling = node["ceiling"]?.string,
            let share = node["share"]?.double, let low = node["share_p10"]?.double,
            let high = node["share_p90"]?.double, let rate = node["operations_per_second"]?.double,
            let best = node["best_operations_per_second"]?.double, let bytes = node["bytes_per_second"]?.double,
            let samples = node["samples"]?.count(in: 0...1 << 40),
            let standing = node["standing"]?.string.flatMap(MeasurementConditions.Standing.init(rawValue:)),
            let isReliable = node["reliable"]?.bool
        else { return nil }
        self.init(
            id: 0, operation: operation, variant: variant, shape: shape, threads: threads, machine: machine,
            commit: node["commit"]?.string, sourceDigest: digest, measuredAt: measuredAt, ceiling: ceiling,
            ceilingRate: node["roof"]?["ceiling_per_second"]?.double, share: share, shareLow: low, shareHigh: high,
            rate: rate, best: best, bytesPerSecond: bytes, samples: samples, standing: standing,
            isReliable: isReliable, verdict: .unjudged, baseline: nil, threshold: nil, rounds: [])
    }
}
