import Glibc
import TestFixtures
import Testing

@Suite("orrery show")
struct ShowTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("the first start shows the sample data")
    func firstRun() throws {
        let result = try program.run("show", "traces")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.isEmpty)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 41, "40 rows and a final line break")
        #expect(result.output.contains("Runs"))
        #expect(try program.run("show", "traces").output == result.output)
    }

    @Test("in a new home, + strengthens the sample feature, and the generation changes")
    func steersSample() throws {
        let shown = try program.run("show", "features", "--size", "120x40", "--keys", "+")
        #expect(shown.output.contains("32 × 2") && shown.output.contains("diverging at token"), "\(shown.error)")
    }

    @Test(
        "in a new home, every model page shows sample content with an explanation",
        arguments: [
            ("tokens", "", ["surprise, bits", "A sample:", "least probable"]),
            ("attention", "", ["L0H5", "upha", "A sample:", "attends to"]),
            ("features", "", ["quiet nights and clear skies", "fires on", "by meaning", "A sample:"]),
            ("features", "c", ["against", "logit of", "A sample:", "Σ"]),
        ])
    func firstSight(panel: String, keys: String, parts: [String]) throws {
        for size in ["120x40", "200x60"] {
            let shown = try program.run("show", panel, "--size", size, "--keys", keys)
            #expect(shown.status == 0, "\(shown.error)")
            for part in parts { #expect(shown.output.contains(part), "\(panel) \(size): \(part)") }
        }
    }

    @Test("keys are applied before printing")
    func keys() throws {
        let result = try program.run("show", "traces", "--trace", "7e57", "--keys", "]e", "--size", "100x30")
        #expect(result.output.contains("step 3 of"))
    }

    @Test("typed commands are not added to the history, and no screen state is saved")
    func leavesNothing() throws {
        let first = try program.run("show", "traces").output
        _ = try program.run("show", "traces", "--keys", "/errors>0<enter>:theme light<enter><enter>]e")
        #expect(TemporaryFolder.names(in: program.home.file("state") + "/orrery").isEmpty)
        #expect(try program.run("show", "traces").output == first)
    }

    @Test("--ascii prints no byte above 0x7F", arguments: ["", "<enter>]e", "<enter>?", "<ctrl-p>", "<enter>]cv"])
    func ascii(keys: String) throws {
        let result = try program.run("show", "traces", "--ascii", "--theme", "mono", "--keys", keys)
        #expect(result.status == 0)
        #expect(result.output.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("ansi and svg are valid formats")
    func formats() throws {
        let ansi = try program.run("show", "traces", "--format", "ansi")
        #expect(ansi.output.contains("\u{1B}["))
        let svg = try program.run("show", "traces", "--format", "svg")
        #expect(svg.output.hasPrefix("<svg"))
        #expect(svg.output.contains("</svg>"))
    }

    @Test("options override the environment, which overrides the file; config show prints the origins")
    func settings() throws {
        let folder = program.home.file("config") + "/orrery"
        _ = try program.run("config", "show")
        makeFolders(folder)
        File.write("theme = \"light\"\npace = \"2x\"\n[keys.traces]\nmark = \"j\"\n", to: folder + "/config.toml")
        let shown = try program.run(["config", "show", "--theme", "mono"], environment: ["ORRERY_PACE": "10x"])
        #expect(shown.status == 0)
        let lines = shown.output.split(separator: "\n")
        #expect(lines.contains { $0.contains("theme") && $0.contains("mono") && $0.contains("command line") })
        #expect(lines.contains { $0.contains("pace") && $0.contains("10x") && $0.contains("ORRERY_PACE") })
        #expect(shown.error.contains("mark"), "the key with two meanings is reported")
        let plain = try program.run("config", "show")
        #expect(plain.output.split(separator: "\n").contains { $0.contains("light") && $0.contains("config.toml:1") })
    }

    private func makeFolders(_ path: String) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
    }
}
