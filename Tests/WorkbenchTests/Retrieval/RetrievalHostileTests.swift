import Console
import Retrieval
import Testing
import Workbench

@Suite("Hostile documents in the retrieval panel")
struct RetrievalHostileTests {
    private static let text =
        "\u{1B}[31mred\u{1B}]0;title\u{7}\u{1B}[2J\r\nsecond\u{9B}5m\u{202E}right\u{200B}\u{7F}\u{FEFF}👩‍💻\t漢字 bolts"

    @Test("texts, names, and questions are escaped in every cell, at any size")
    func texts() throws {
        let made = try SearchedWorkspace(papers: [
            "a\u{1B}[31m\u{202E}b.txt": Self.text, "long.txt": String(repeating: "bolts and nuts ", count: 4_000),
            "wide.txt": String(repeating: "漢字", count: 2_000) + " bolts", "p|`x.md": "# \(Self.text)\n\nbolts\n",
        ])
        for size in [Size(120, 40), Size(80, 24), Size(200, 60), Size(33, 9), Size(1, 1)] {
            let driver = ShellDriver.retrieval(made.workspace, size: size)
            for keys in [
                "/bolts<enter>", "j", "v", "v", "v", "v", "W", "<tab>z", "z", "H", "<esc>", "<tab>", "llhh", "y",
            ] {
                try driver.type(keys)
                #expect(Hostile.dangers(on: driver.shell.draw()) == [], "\(keys) at \(size)")
            }
        }
    }

    @Test("copied text contains no control sequences")
    func copied() throws {
        let made = try SearchedWorkspace(papers: ["a\u{1B}[31m|b.txt": "bolts"])
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("/bolts<enter>y")
        let isClean = driver.asked {
            guard case .copy(let text) = $0 else { return false }
            return !text.unicodeScalars.contains("\u{1B}")
        }
        #expect(isClean)
    }

    @Test("a workspace without a corpus names the next step")
    func empty() throws {
        let made = try TestWorkspace()
        let driver = ShellDriver.retrieval(made.workspace)
        #expect(driver.text.contains("press i to create one from files"))
        for key in ["/", "H", "b", "c", "p", "Q"] {
            try driver.type(key)
            #expect(driver.text.contains("no corpus yet"), "\(key)")
        }
    }

    @Test("a thousand passages answer a key within a frame")
    func speed() throws {
        let rows = (0..<1_000).map { "bolts of the leaf \($0) and word\($0 % 97)\n" }
        let made = try SearchedWorkspace(papers: ["parts.csv": "part\n" + rows.joined()])
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("/bolts leaf<enter>slexical.k = 1000, dense.k = 1000, fusion.keep = 1000<enter>")
        try driver.type("hG")
        #expect(driver.rows(with: "1000").count >= 1)
        let clock = ContinuousClock()
        var worst = Duration.zero
        for key in ["k", "j", "h", "l", "<pgup>", "gg", "G", "v", "k"] {
            worst = max(
                worst,
                try clock.measure {
                    try driver.type(key)
                    _ = driver.shell.draw()
                })
        }
        // The bar is 16 ms where the program is optimized; here the work of the engine is counted too.
        #expect(worst < .milliseconds(500))
    }
}
