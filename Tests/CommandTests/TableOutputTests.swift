import TestFixtures
import Testing

@Suite("Forms of tables")
struct TableOutputTests {
    let program: Program

    init() throws {
        program = try Program()
        let result = try program.run("trace", "import", Program.root + "/sample-data/traces", "-w", "w.orrery")
        try #require(result.status == 0, "\(result.error)")
    }

    @Test("CSV and Markdown have a row per trace, and notes only on standard error")
    func forms() throws {
        let csv = try program.run("trace", "list", "-w", "w.orrery", "--csv")
        let markdown = try program.run("trace", "list", "-w", "w.orrery", "--markdown")
        let text = try program.run("trace", "list", "-w", "w.orrery")
        let lines = csv.output.split(separator: "\n")
        #expect(csv.status == 0 && csv.error == text.error, "\(csv.error)")
        #expect(lines[0].hasPrefix("id,start,steps,total tokens,cost,errors"))
        let rows = markdown.output.split(separator: "\n")
        #expect(rows.count == text.output.split(separator: "\n").count + 1)
        #expect(lines.count >= rows.count - 1)
        #expect(rows[1].hasPrefix("| --- | --- | ---: |"))
        for row in rows { #expect(row.hasPrefix("| ") && row.hasSuffix(" |"), "\(row)") }
    }

    @Test("an empty table is a header in CSV and Markdown, and a sentence otherwise")
    func empty() throws {
        #expect(try program.run("kernel", "profiles", "-w", "w.orrery").output.hasPrefix("no profiles yet"))
        let csv = try program.run("kernel", "profiles", "-w", "w.orrery", "--csv")
        #expect(csv.output == "profile,tool,device,launches,kernels,time,title\n")
    }

    @Test("a result that is not a list is not printed as CSV")
    func notAList() throws {
        for words in [
            ["corpus", "pipeline", "--defaults"], ["corpus", "questions", "desk"], ["kernel", "list", "gemm-f32"],
            ["model", "tokenize", "x", "--lines"],
        ] {
            let result = try program.run(words + ["--csv"])
            #expect(result.status == 64 && result.output.isEmpty, "\(words)")
            #expect(result.error.contains("--csv and --markdown print lists only"), "\(result.error)")
        }
    }

    @Test("two forms at once are wrong use")
    func twoForms() throws {
        let result = try program.run("trace", "list", "--csv", "--json")
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.error.contains("only one of --json, --csv, and --markdown"))
    }
}
