import Console
import Foundation
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench

@Suite("The tokens page: reading an answer")
struct TokenReadingTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.conversed()
        driver = .tokens(made.workspace, opening: Reference(.generation, [1], title: ""))
        try driver.type("<tab>")
    }

    @Test("the tree has every session, with the answers of the open session and branches below their origin")
    func tree() throws {
        #expect(driver.text.contains("Sessions ─ 4"))
        let rows = driver.rows(with: "└")
        #expect(rows.contains { $0.contains("  └6 Planets wander") } || driver.rows(with: "└6 ").count == 1)
        #expect(driver.rows(with: "└10 ").count == 1)
        #expect(driver.rows(with: "failed").count == 1)
    }

    @Test("a token shows its probability, entropy, time, and its alternatives before and after every processor")
    func alternatives() throws {
        try driver.type("]")
        #expect(driver.text.contains("Token 6 ── ·Earth ── id 105"))
        #expect(driver.text.contains("p 16.00 %"))
        #expect(driver.text.contains("nat"))
        #expect(driver.text.contains("temperature 0.8: 512 → top-k 8: 8 left"))
        #expect(driver.rows(with: "temp").contains { $0.contains("top-k") })
        let rows = driver.rows(with: "·they")
        #expect(rows.contains { $0.contains("37.80 %") }, "\(rows)")
        // Behind the eighth nothing is left.
        #expect(driver.rows(with: "·orbits").contains { $0.contains("·") })
    }

    @Test("h, l, and arrows move token by token, into and out of the prompt")
    func tokens() throws {
        try driver.type("gg")
        #expect(driver.text.contains("1 of 26 prompt tokens, from template"))
        try driver.type("<right><right><right>")
        #expect(driver.text.contains("4 of 26 prompt tokens, from system"))
        try driver.type("G")
        #expect(driver.text.contains("Token 31 ── ."))
        try driver.type("<left>h")
        #expect(driver.text.contains("Token 29 ── ·they"))
    }

    @Test("colors cycle through probability, entropy, time, origin, and none; each names its scale")
    func colors() throws {
        #expect(driver.text.contains("probability  ≥ 50 %  20  5  1  less"))
        #expect(driver.shows(" from", as: .heat4))
        #expect(driver.shows(" too", as: .heat3))
        try driver.type("c")
        #expect(driver.text.contains("entropy  ≤ 0.7 nat"))
        try driver.type("c")
        #expect(driver.text.contains("time  ≤ 1.25 × median"))
        try driver.type("c")
        #expect(driver.text.contains("origin  template  system  user  assistant  tool"))
        #expect(driver.shows("sentence", as: .series4))
        #expect(driver.shows("among", as: .series1))
        try driver.type("c")
        #expect(!driver.shows("among", as: .series1))
        try driver.type("c")
        #expect(driver.text.contains("probability  ≥ 50 %"))
    }

    @Test("] and [ cycle through the tokens that were not the most likely")
    func surprises() throws {
        try driver.type("]")
        #expect(driver.text.contains("Token 6 ── ·Earth"))
        try driver.type("]")
        #expect(driver.text.contains("Token 9 ── ·too"))
        try driver.type("[")
        #expect(driver.text.contains("Token 6 ── ·Earth"))
        // Before the first comes the last, and after the last the first.
        try driver.type("[")
        #expect(driver.text.contains("Token 30 ── ·are"))
        try driver.type("]")
        #expect(driver.text.contains("Token 6 ── ·Earth"))
    }

    @Test("/ finds text across token boundaries, and n and N cycle through the matches")
    func search() throws {
        try driver.type("/planets wander<enter>")
        #expect(driver.text.contains("16 of 26 prompt tokens, from user"))
        try driver.type("n")
        #expect(driver.text.contains("Token 1 ── Pl"))
        #expect(driver.shows("anets", as: .match))
        try driver.type("nn")
        #expect(driver.text.contains("Token 1 ── Pl"))
        try driver.type("NN")
        #expect(driver.text.contains("Token 1 ── Pl"))
        try driver.type("/nothing like it<enter>")
        #expect(driver.text.contains("nothing like it was not found"))
        #expect(driver.text.contains("Token 1 ── Pl"))
    }

    @Test("d compares with another answer: common tokens, first difference, and probabilities; Esc ends it")
    func compare() throws {
        try driver.type("<shift-tab>j<tab>d")
        #expect(driver.text.contains("identical for 5 tokens, then ·Earth vs. ·"))
        #expect(driver.text.contains("log p -"))
        #expect(driver.text.contains("Token 6"))
        #expect(driver.rows(with: "│").contains { $0.contains("nearer") })
        try driver.type("<esc>")
        #expect(!driver.text.contains("identical for"))
    }

    @Test("another session opens with its newest answer and without the comparison")
    func otherSession() throws {
        try driver.type("d")
        #expect(driver.text.contains("identical for"))
        try driver.type("<shift-tab>gg<enter>")
        #expect(!driver.text.contains("identical for"))
        #expect(driver.text.contains("Answer in one sentence."))
        try driver.type("<shift-tab>G<enter>")
        #expect(driver.text.contains("Translate"))
        #expect(driver.text.contains("r runs the prompt"))
    }

    @Test("the next start shows the same answer, token, colors, pane, and zoom", arguments: ["", "z", "<tab>", "c"])
    func restores(keys: String) throws {
        try driver.type("]" + keys)
        let before = driver.text
        driver.shell.saveScreens()
        let again = ShellDriver.tokens(made.workspace, isRestored: true)
        #expect(again.text == before)
        #expect(before.contains(" Earth"))
    }

    @Test("a click selects a token or an alternative, a double click opens it, and the wheel scrolls")
    func mouse() throws {
        func place(_ text: String, below row: Int = 0) throws -> Point {
            let screen = driver.shell.draw()
            for row in row..<screen.size.rows {
                let line = screen.textOfRow(row)
                if let range = line.ranges(of: text).last {
                    return Point(column: line.distance(from: line.startIndex, to: range.lowerBound) + 1, row: row)
                }
            }
            throw Missing(text: text)
        }
        driver.handle(.mouse(Mouse(.press, at: try place("forward"))))
        #expect(driver.text.contains("Token 19 ── ·forward"))
        driver.handle(.mouse(Mouse(.press, at: try place("·stars", below: 24))))
        #expect(driver.text.contains("Token 19 ── ·forward"))
        driver.handle(.mouse(Mouse(.doubleClick, at: try place("└10"))))
        #expect(driver.text.contains("each night"))
        let before = driver.text
        driver.handle(.mouse(Mouse(.scrollDown, at: try place("Sessions", below: 1))))
        driver.handle(.mouse(Mouse(.scrollUp, at: try place("Sessions", below: 1))))
        #expect(driver.text == before)
    }

    @Test("a tiny terminal shows sessions and text instead of borders")
    func tiny() throws {
        let small = ShellDriver.tokens(
            made.workspace, size: Size(20, 5), opening: Reference(.generation, [1], title: ""))
        let first = small.text
        try small.type("<tab>")
        for screen in [first, small.text] {
            #expect(!screen.contains("╭") && !screen.contains("╰"), "\(screen)")
            let filled = screen.split(separator: "\n").dropFirst().dropLast().count { !$0.allSatisfy(\.isWhitespace) }
            #expect(filled >= 2, "\(screen)")
        }
    }

    struct Missing: Error { var text: String }

    @Test("y copies the answer, and e writes all of it without overwriting", arguments: ["md", "json"])
    func exports(suffix: String) throws {
        try driver.type("y")
        #expect(
            driver.asked { if case .copy(let text) = $0 { text.hasPrefix("Planets wander because") } else { false } })
        let path = made.folder.file("answer.\(suffix)")
        try driver.type("e<ctrl-u>\(path)<enter>")
        let text = try #require(try? String(contentsOfFile: path, encoding: .utf8))
        #expect(text.contains(suffix == "md" ? "## Answer by stories260K" : "\"after_stages\""))
        try driver.type("e<ctrl-u>\(path)<enter>")
        #expect(driver.text.contains("exists"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
