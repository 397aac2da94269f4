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
        steps = 560
        batch = 2
        ema = 0.9
        [evaluation]
        every = 20
        batches = 2
        [checkpoints]
        every = 3
        seconds = 0
        keep = 2
        """

    /// Returns steps and values of a curve with all digits, as stored in the workspace.
    private func curve(_ run: String, _ series: String) throws -> String {
        let shown = try program.run("train", "show", run, "--series", series, "--json")
        try #require(shown.status == 0, "\(shown.error)")
        let document = try JSONDocument(parsing: shown.output)
        return document.withRoot { root in
            let node = root["curves"]?.member(named: series)
            return node.map { String(decoding: document.bytes(in: $0.byteRange), as: UTF8.self) } ?? ""
        }
    }

    /// Reads the output of a run until it has completed a number of steps.
    private func follow(_ child: Child, steps: Int) {
        var left = steps
        while left > 0, let line = child.line() {
            if line.hasPrefix("{\"type\":\"point\"") { left -= 1 }
        }
    }

    @Test("a run resumes in the background with the same bits once its process releases it")
    func background() throws {
        #expect(try program.run("train", "whole.toml").status == 0)
        let child = try program.start(["train", "killed.toml", "--json"], isPiped: true)
        follow(child, steps: 25)
        let started = try program.run("train", "resume", "killed", "--background")
        #expect(started.status == 0, "\(started.error)")
        #expect(started.output.contains("background.log"))
        child.send(SIGINT)
        // The pipe is full, and the run ends only after the pipe has been read.
        while child.line() != nil {}
        #expect(child.wait().status != 0)
        // Wait for the background process; if it has not started yet, the run finishes here.
        let waited = try program.run("train", "resume", "killed", "--when-free")
        #expect(waited.status == 0, "\(waited.error)")
        let listed = try program.run("train", "list")
        #expect(listed.output.split(separator: "\n").filter { $0.contains("killed") }.count == 1, "\(listed.output)")
        for series in ["train/loss", "validation/loss", "norm/gradient", "learning_rate"] {
            let whole = try curve("whole", series)
            #expect(whole.count > 300)
            #expect(try curve("killed", series) == whole, "\(series)")
        }
    }

    @Test("--background rejects options that would change the run")
    func backgroundUsage() throws {
        let result = try program.run("train", "resume", "killed", "--background", "--steps", "7")
        #expect(result.status == 64)
        #expect(result.error.contains("Remove the other options"))
    }

    @Test("a run killed at twenty steps resumes with the same bits")
    func killed() throws {
        #expect(try program.run("train", "whole.toml").status == 0)
        for turn in 0..<20 {
            // The pipe holds about ten lines, so the run is at most ten steps ahead of the chosen step.
            let child = try program.start(["train", "killed.toml", "--json"], isPiped: true)
            follow(child, steps: 1 + turn * 7 % 9)
            child.send(SIGKILL)
            #expect(child.wait().status == 128 + SIGKILL)
        }
        let result = try program.run("train", "killed.toml")
        #expect(result.status == 0, "\(result.error)")
        let listed = try program.run("train", "list")
        let rows = listed.output.split(separator: "\n").filter { $0.split(separator: " ").contains("killed") }
        #expect(rows.count == 1, "\(listed.output)")
        for series in ["train/loss", "validation/loss", "norm/gradient", "learning_rate"] {
            let whole = try curve("whole", series)
            #expect(whole.count > 300)
            #expect(try curve("killed", series) == whole, "\(series)")
        }
    }

    @Test("^C stops a run after its step, with a checkpoint and a hint to resume")
    func interrupted() throws {
        let child = try program.start(["train", "whole.toml", "--steps", "1000000", "--json"], isPiped: true)
        follow(child, steps: 3)
        child.send(SIGINT)
        while child.line() != nil {}
        let result = child.wait()
        #expect(result.status == 1)
        #expect(result.sentences.last?.contains("resumes from the checkpoint") == true, "\(result.error)")
        let resumed = try program.run("train", "whole.toml", "--steps", "1")
        #expect(resumed.status == 0)
        #expect(resumed.error.contains("more than the requested 1"), "\(resumed.error)")
    }

    @Test("other processes can pause, scale, resume, and stop a run, but not delete it in progress")
    func orders() throws {
        let child = try program.start(["train", "whole.toml", "--steps", "1000000", "--json"], isPiped: true)
        follow(child, steps: 1)
        func order(_ words: String...) throws {
            let result = try program.run(["train"] + words)
            #expect(result.status == 0, "\(words): \(result.error)")
        }
        /// Reads until an event of a kind.
        func reach(_ kind: String) -> String? {
            while let line = child.line() {
                if line.hasPrefix("{\"type\":\"event\""), line.contains("\"kind\":\"\(kind)\"") { return line }
            }
            return nil
        }
        // Unread output must not block the run while it waits for instructions.
        try order("pause", "whole")
        #expect(reach("paused") != nil)
        let refused = try program.run("train", "delete", "whole")
        #expect(refused.status == 1 && refused.error.contains("Stop the run first"), "\(refused.error)")
        try order("rate", "whole", "0.5")
        #expect(reach("rateChanged")?.contains("is 0.5 times the schedule, starting at step") == true)
        try order("continue", "whole")
        #expect(reach("continued") != nil)
        try order("stop", "whole")
        #expect(reach("stopped") != nil)
        while child.line() != nil {}
        #expect(child.wait().status == 0)
        let busy = try program.run("train", "stop", "whole")
        #expect(busy.status == 1 && busy.error.contains("only a running or paused run can be changed"))
        try order("delete", "whole")
        #expect(try program.run("train", "show", "whole").status == 1)
        try order("undo")
        #expect(try program.run("train", "show", "whole").status == 0)
    }

    @Test("a second process in the same folder is rejected")
    func locked() throws {
        let child = try program.start(["train", "whole.toml", "--steps", "1000000", "--json"], isPiped: true)
        follow(child, steps: 1)
        let second = try program.run("train", "whole.toml")
        #expect(second.status == 1)
        #expect(second.error.contains("another run is using this folder"), "\(second.error)")
        child.send(SIGKILL)
        #expect(child.wait().status == 128 + SIGKILL)
    }

    @Test("a full disk during a checkpoint preserves the last good state")
    func fullDisk() throws {
        let disk = program.home.file("disk")
        mkdir(disk, 0o777)
        guard mount("none", disk, "tmpfs", 0, "size=320k") == 0 else { try Test.cancel("mounting is not allowed") }
        defer { umount(disk) }
        let words = [
            "train", "whole.toml", "--set", "checkpoints.folder=\(disk)/run", "--set", "checkpoints.best=false",
            "--set", "data.cache=../cache", "--set", "evaluation.every=0", "--steps", "9",
        ]
        // The disk has room for one checkpoint, but not for a second one.
        let result = try program.run(words)
        #expect(result.status == 1)
        #expect(result.error.contains("cannot write the checkpoint of step 3"), "\(result.error)")
        #expect(result.error.contains("No space left on device"))
        #expect(result.error.contains("The checkpoint of step 0 is intact."))
        let names = TemporaryFolder.names(in: disk + "/run")
        #expect(names.filter { $0.hasSuffix(".safetensors") } == ["step-000000000.safetensors"])
        #expect(!names.contains { $0.hasSuffix(".partial") })
    }

    @Test(
        "invalid input is reported in one sentence",
        arguments: [
            (["missing.toml"], "orrery: missing.toml: No such file or directory."),
            (["."], "found a folder. Use a file in the folder"),
            (
                ["whole.toml", "--set", "training.bach=3"],
                "orrery: --set: unknown key \"training.bach\". Did you mean \"training.batch\"?"
            ),
            (["whole.toml", "--set", "training.batch=x"], "--set: training.batch must be an integer from 1 to"),
            (
                ["whole.toml", "--set", "data.train=none.txt"],
                "none.txt: cannot open the file: No such file or directory."
            ),
            (["whole.toml", "--set", "data.context=90000"], "tokens are too few for one sequence of 90000"),
            (
                ["whole.toml", "--set", "checkpoints.folder=text.txt"],
                "text.txt: not a folder. Choose a different one."
            ),
            (["show", "nothing"], "orrery: "),
        ])
    func wrongUse(arguments: [String], sentence: String) throws {
        let result = try program.run(["train"] + arguments)
        #expect(result.status == 1)
        #expect(result.error.contains(sentence), "\(result.error)")
        #expect(result.sentences.count == 1, "\(result.error)")
    }

    @Test("--defaults prints a configuration with every key")
    func defaults() throws {
        let result = try program.run("train", "--defaults")
        #expect(result.status == 0)
        #expect(result.output.contains("[optimizer]") && result.output.contains("\nrate = 0.001"))
    }
}
