internal import Formatting
internal import JSON
internal import Traces

/// Random numbers of a sample, equal in every run with the same seed.
enum SampleSeed {
    /// Returns the seed of one attempt.
    static func seed(of sample: String, epoch: Int, run: UInt64) -> UInt64 {
        var digest = Digest(seed: run)
        digest.add(sample)
        digest.add(UInt64(bitPattern: Int64(epoch)))
        return digest.value
    }
}

/// The cache key of a request: two digests of everything that an answer depends on, 16 bytes.
///
/// Among a billion requests, two share a key with a probability of 1e-21.
enum CacheKey {
    /// - Parameters:
    ///   - identity: Identity of the solver, which stands for provider, model, and parameters.
    ///   - sample: Sample whose request and program input count, but neither its name nor its task.
    ///   - state: State of what the solver reads for this sample, such as corpora; `nil` if it reads nothing.
    static func key(
        identity: String, state: String? = nil, sample: TaskSample, epoch: Int, seed: UInt64
    ) -> [UInt8] {
        var writer = PackedWriter()
        writer.write(identity)
        if let state { writer.write(state) }
        sample.request.pack(into: &writer)
        if sample.repeats != 1 { writer.write(sample.repeats) }
        // User programs read the whole sample.
        if case .program = sample.request {
            writer.write(sample.id, sample.choices, sample.fields.json())
        }
        writer.write(epoch, seed)
        return writer.bytes.withUnsafeBufferPointer { bytes in
            [Digest.of(bytes, seed: 0x6576_616C), Digest.of(bytes, seed: 0x6361_6368)].flatMap { value in
                withUnsafeBytes(of: value.littleEndian) { Array($0) }
            }
        }
    }
}

extension EvalTask {
    /// Returns a digest of the samples, their scorers, and the metrics: a run resumes only with equal ones. 32
    /// hexadecimal digits.
    package func digest(of samples: [TaskSample]) -> String {
        var (first, second) = (Digest(seed: 1), Digest(seed: 2))
        for sample in samples {
            var writer = PackedWriter()
            writer.write(sample.id)
            sample.request.pack(into: &writer)
            writer.write(sample.targets, sample.choices, sample.rightChoice)
            // The row holds the programs, tests, and contexts that scorers read.
            writer.write(sample.fields.json(), sample.details.json())
            writer.write(sample.cluster, sample.slices, sample.repeats, sample.checks.count)
            for check in sample.checks { check.pack(into: &writer) }
            writer.bytes.withUnsafeBufferPointer { bytes in
                first.add(bytes)
                second.add(bytes)
            }
        }
        var writer = PackedWriter()
        writer.write(version, slices, scorers.count)
        for scorer in scorers { scorer.pack(into: &writer) }
        for metric in metrics {
            writer.write(metric.kind, metric.score)
            metric.settings.pack(into: &writer)
        }
        writer.write("\(reducer)")
        writer.bytes.withUnsafeBufferPointer { bytes in
            first.add(bytes)
            second.add(bytes)
        }
        return [first.value, second.value].map { Format.hexadecimal($0, digits: 16) }.joined()
    }
}

extension ScorerSettings {
    /// Packs the values only, without their position in the file.
    func pack(into writer: inout PackedWriter) {
        writer.write(UInt64(values.count))
        for member in values { writer.write(member.key, member.value.json()) }
    }
}

extension ScorerChoice {
    func pack(into writer: inout PackedWriter) {
        writer.write(kind, name)
        settings.pack(into: &writer)
        writer.write(weight, threshold, isNegated)
    }
}
