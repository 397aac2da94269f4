import JSON
import TestFixtures
import Testing

@Suite("Command line usage")
struct UsageTests {
    let program: Program

    init() throws { program = try Program() }

    /// All commands as typed.
    static let commands: [[String]] = [
        [], ["open"], ["trace"], ["trace", "discover"], ["trace", "import"], ["trace", "list"], ["trace", "show"],
        ["trace", "search"], ["trace", "export"], ["trace", "rename"], ["trace", "delete"], ["trace", "undo"], ["show"],
        ["workspace"], ["workspace", "info"], ["workspace", "check"], ["workspace", "backup"], ["workspace", "export"],
        ["workspace", "prune"], ["workspace", "jobs"], ["notebook"], ["notebook", "run"], ["config"],
        ["config", "show"], ["doctor"], ["reference"], ["reference", "keys"], ["reference", "man"],
    ]

    @Test("--help of every command describes the command and exits with 0", arguments: commands)
    func help(command: [String]) throws {
        let result = try program.run(command + ["--help"])
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: ") || result.output.contains("OVERVIEW: "))
        #expect(result.error.isEmpty)
        for line in result.output.split(separator: "\n") where !line.hasPrefix("USAGE") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test("the help of a noun lists all of its commands")
    func helpIsComplete() throws {
        for noun in ["trace", "workspace", "notebook", "config"] {
            let help = try program.run(noun, "--help").output
            for command in Self.commands where command.count == 2 && command[0] == noun {
                #expect(help.contains("  \(command[1]) "), "\(command)")
            }
        }
    }

    @Test("--version prints only the version")
    func version() throws {
        let result = try program.run("--version")
        #expect(result.status == 0)
        #expect(result.output.split(separator: ".").count == 3)
    }

    @Test(
        "invalid usage exits with 64 and prints the usage",
        arguments: [
            ["trace", "lst"], ["trace", "list", "--fliter", "x"], ["show"], ["show", "traces", "--size", "80"],
            ["show", "traces", "--size", "0x0"], ["trace", "show"], ["trace", "show", "7e57", "--step", "one"],
            ["trace", "list", "--sort", "color"], ["notebook", "run"], ["config", "sow"], ["--frob"],
            ["trace", "import"],
        ])
    func wrongUse(arguments: [String]) throws {
        let result = try program.run(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("Usage: "))
    }

    @Test("without a terminal, the workbench prints one sentence with a remedy and exits with 1")
    func noTerminal() throws {
        let result = try program.run()
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1)
        #expect(result.error.contains("orrery show traces"))
    }

    @Test(
        "a failure prints one sentence on standard error and exits with 1",
        arguments: [
            ["trace", "import", "/nowhere/session.jsonl"], ["trace", "list", "--filter", "kind:tol"],
            ["trace", "show", "nosuchtrace"], ["show", "nothing"], ["show", "traces", "--keys", "<frob>"],
            ["show", "traces", "--trace", "nosuchtrace"], ["workspace", "info", "-w", "/nowhere/at/all.orrery"],
            ["workspace", "info", "-w", "/etc/passwd"], ["notebook", "run", "/nowhere/notebook.md"],
            ["workspace", "jobs", "--resume", "99"], ["trace", "export", "nosuchtrace"],
            ["trace", "rename", "nosuchtrace", "name"], ["trace", "delete", "nosuchtrace"],
        ])
    func oneSentence(arguments: [String]) throws {
        let result = try program.run(arguments)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("orrery: "))
        #expect(!result.error.contains("Error("), "\(result.error)")
    }

    @Test("the man page is complete and describes every command")
    func manPage() throws {
        let page = try program.run("reference", "man")
        #expect(page.status == 0)
        #expect(page.output.hasPrefix(".TH ORRERY 1"))
        for command in Self.commands where command.count == 2 && command[0] != "reference" {
            #expect(page.output.contains(".SH ORRERY \(command[0].uppercased()) \(command[1].uppercased())"))
        }
        for line in page.output.split(separator: "\n") where line.hasPrefix(".") {
            #expect(["TH", "SH", "TP", "nf", "fi"].contains { line.dropFirst().hasPrefix($0) }, "\(line)")
        }
    }

    @Test("completion scripts are generated for every shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let script = try program.run("--generate-completion-script", shell)
        #expect(script.status == 0)
        for word in ["trace", "import", "workspace", "filter"] { #expect(script.output.contains(word)) }
    }

    @Test("KEYS.md matches the output of the program")
    func keys() throws {
        let kept = try #require(File.text(Program.root + "/KEYS.md"), "KEYS.md is missing: make reference writes it")
        #expect(try program.run("reference", "keys").output == kept)
    }
}
