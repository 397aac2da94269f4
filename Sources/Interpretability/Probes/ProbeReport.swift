public import System
public import Tensors
public import Training

/// How well a probe reads a property, and how much of that is the activations' own doing.
public struct ProbeReport: Sendable {
    public var probe: LogisticProbe
    public var train: Proportion
    public var test: Proportion
    /// Accuracy of the same probe on random labels for each type, which measures memorization. `nil` if no types were
    /// given, or if the training rows got only one label, as with a single type.
    public var control: Proportion?

    /// Accuracy less that of the control task, both on rows that were not learned from.
    public var selectivity: Double? { control.map { test.value - $0.value } }

    /// Fits a probe on one part of the rows and judges it on the other.
    ///
    /// - Parameters:
    ///   - types: What control labels belong to, usually the token of each row; `nil` for no control.
    /// - Source: Hewitt and Liang, "Designing and interpreting probes with control tasks", 2019.
    public static func measure(
        _ rows: Tensor<Float>, labels: [Int], types: [Int]? = nil, split: ProbeSplit,
        options: LogisticProbe.Options = LogisticProbe.Options(), seed: UInt64 = 0
    ) throws(Problem) -> ProbeReport {
        guard rows.rank == 2, rows.shape[0] == labels.count, types.map({ $0.count == labels.count }) ?? true,
            (split.train + split.test).allSatisfy(labels.indices.contains)
        else {
            throw Problem(
                .invalid, "probe",
                "rows of shape \(rows.shape), \(labels.count) labels, \(types?.count ?? 0) types, "
                    + "and the split do not match")
        }
        let (train, test) = try telling { (try rows.selecting(split.train), try rows.selecting(split.test)) }
        func run(_ labels: [Int]) throws(Problem) -> (LogisticProbe, Proportion, Proportion) {
            let (learned, held) = (split.train.map { labels[$0] }, split.test.map { labels[$0] })
            let probe = try LogisticProbe.fit(train, labels: learned, options: options)
            return (
                probe, Proportion(hits: try probe.hits(train, learned), count: learned.count),
                Proportion(hits: try probe.hits(test, held), count: held.count)
            )
        }
        let (probe, trained, tested) = try run(labels)
        var report = ProbeReport(probe: probe, train: trained, test: tested)
        if let types {
            let drawn = controlLabels(labels, types: types, seed: seed)
            if Set(split.train.map { drawn[$0] }).count > 1 { report.control = try run(drawn).2 }
        }
        return report
    }

    /// One label a type, drawn as often as the labels themselves occur.
    static func controlLabels(_ labels: [Int], types: [Int], seed: UInt64) -> [Int] {
        var random = PhiloxGenerator(seed: seed, stream: 1)
        var drawn: [Int: Int] = [:]
        for type in Set(types).sorted() { drawn[type] = labels[random.integer(in: 0..<labels.count)] }
        return types.map { drawn[$0] ?? 0 }
    }
}
