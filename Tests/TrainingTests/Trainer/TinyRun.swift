import TestFixtures
import Training

/// A transformer of a few hundred numbers over a small text: a step takes a fraction of a millisecond.
struct TinyRun {
    let folder = TemporaryFolder()
    var more: [String] = []
    var rules = UpdateRules.standard

    init(_ more: String...) {
        self.more = more
        File.write(Self.text, to: folder.file("text.txt"))
    }

    static let text = (0..<60).map { "The \($0 % 7) moons of planet \($0 % 5) rise at \($0 % 11).<|endoftext|>\n" }
        .joined()

    var toml: String {
        """
        [run]
        seed = 3
        [data]
        train = ["text.txt"]
        context = 16
        [data.tokenizer]
        vocabulary = 300
        [model]
        layers = 1
        width = 16
        heads = 2
        [optimizer]
        rate = 0.01
        [schedule]
        warmup = 4
        [training]
        steps = 24
        batch = 4
        [evaluation]
        every = 10
        batches = 2
        [checkpoints]
        every = 5
        seconds = 0
        [record]
        norms = 8
        """
    }

    func configuration(_ overrides: [String] = []) throws -> TrainingConfiguration {
        try TrainingConfiguration(toml, path: folder.file("tiny.toml"), overriding: more + overrides, rules: rules)
    }

    func trainer(
        _ overrides: [String] = [], failingWrites: @escaping (String) throws -> Void = { _ in }
    ) throws -> Trainer {
        try Trainer(try configuration(overrides), version: "test", failingWrites: failingWrites)
    }

    /// Trains to the end.
    @discardableResult
    func run(_ overrides: [String] = [], into sink: CollectingSink) throws -> TrainingResult {
        defer { withExtendedLifetime(folder) {} }
        return try trainer(overrides).run(into: sink)
    }

    var checkpoints: [String] {
        TemporaryFolder.names(in: folder.file("tiny.run")).filter { $0.hasPrefix("step-") }
    }

    func checkpoint(_ name: String) -> String { folder.file("tiny.run/\(name)") }
}
