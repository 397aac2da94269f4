import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery train")
struct TrainCommandTests {
    private let program: Program

    init() throws {
        program = try Program()
        let text = (0..<300).map { "The \($0 % 7) moons of planet \($0 % 5) rise at \($0 % 11).<|endoftext|>\n" }
            .joined()
        File.write(text, to: program.home.file("text.txt"))
        for name in ["whole", "killed"] { File.write(Self.toml, to: program.home.file("\(name).toml")) }
    }

    private static let toml = """
        [run]
        seed = 11
        [data]
        train = ["text.txt"]
        context = 16
        [data.tokenizer]
        vocabulary = 280
        [model]
        layers = 1
        width = 32
        heads = 2
        [training]
        steps = 120
        batch = 4
        ema = 0.9
        [evaluation]
        every = 20
        batches = 2
        [checkpoints]
        every = 3
        seconds = 0
        keep = 2
        """

    /// Steps and values of a curve, as the workspace has them.
    private func curve(_ run: String, _ series: String) throws -> String {
        let shown = try program.run("train", "show", run, "--series", series, "--json")
        try #require(shown.status == 0, "\(shown.error)")
        let document = try JSONDocument(parsing: shown.output)
        return document.withRoot { root in
            let node = root["curves"]?.member(named: series)
            return node.map { String(decoding: document.bytes(in: $0.byteRange), as: UTF8.self) } ?? ""
        }
    }

    @Test("goes on with the same bits after it was killed at twenty random steps")
    func killed() throws {
        #expect(try program.run("train", "whole.toml").status == 0)
        var random = SystemRandomNumberGenerator()
        let folder = program.home.file("killed.run")
        var kills = 0
        for turn in 0..<20 {
            let child = try program.start(["train", "killed.toml"])
            let before = Set(TemporaryFolder.names(in: folder))
            // Until it has written something new, and a random while longer.
            for _ in 0..<20_000 where Set(TemporaryFolder.names(in: folder)).isSubset(of: before) { usleep(200) }
            usleep(UInt32.random(in: 0..<UInt32(2_000 + 200 * turn), using: &random))
            child.send(SIGKILL)
            if child.wait().status == 128 + SIGKILL { kills += 1 }
        }
        #expect(kills > 0)
        let result = try program.run("train", "killed.toml")
        #expect(result.status == 0, "\(result.error)")
        for series in ["train/loss", "validation/loss", "norm/gradient", "learning_rate"] {
            let whole = try curve("whole", series)
            #expect(whole.count > 40)
            #expect(try curve("killed", series) == whole, "\(series)")
        }
    }

    @Test("ends after the step at ^C, with a checkpoint and how to go on")
    func interrupted() throws {
        let child = try program.start(["train", "whole.toml", "--steps", "1000000"])
        let folder = program.home.file("whole.run")
        for _ in 0..<20_000
        where !TemporaryFolder.names(in: folder).contains(where: { $0.hasPrefix("step-") && !$0.contains("000000000") })
        {
            usleep(200)
        }
        child.send(SIGINT)
        let result = child.wait()
        #expect(result.status == 1)
        #expect(result.sentences.last?.contains("goes on from there") == true, "\(result.error)")
        let resumed = try program.run("train", "whole.toml", "--steps", "1")
        #expect(resumed.status == 0)
    }

    @Test(
        "answers wrong use with a sentence",
        arguments: [
            (["train", "missing.toml"], "orrery: missing.toml: No such file or directory."),
            (
                ["train", "whole.toml", "--set", "training.bach=3"],
                "orrery: --set: there is no key training.bach; did you mean training.batch?"
            ),
            (["train", "show", "nothing"], "orrery: "),
        ])
    func wrongUse(arguments: [String], sentence: String) throws {
        let result = try program.run(arguments)
        #expect(result.status == 1)
        #expect(result.error.contains(sentence), "\(result.error)")
    }

    @Test("prints a configuration with every key")
    func defaults() throws {
        let result = try program.run("train", "--defaults")
        #expect(result.status == 0)
        #expect(result.output.contains("[optimizer]") && result.output.contains("\nrate = 0.001"))
    }
}
