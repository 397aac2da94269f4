import Console
import ModelLab
import TestFixtures
import Testing
import Workbench
import Workspace

/// From the answer of a retrieval to the attention that it pays to a passage, in one workspace with a model of its own.
@Suite struct `A cited passage and the attention to it` {
    private static let path = Place.root + "/sample-data/models/orrery-mini"

    private func driver(_ workspace: Workspace) throws -> ShellDriver {
        _ = try ModelHouse(workspace).add(Self.path, name: "orrery-mini", at: 0)
        return ShellDriver(
            workspace, panels: [PanelEntry(RetrievalPage.self), PanelEntry(AttentionPage.self)])
    }

    @Test func `the answer's pane leads to the passage's tokens in the prompt that was answered`() throws {
        let made = try SearchedWorkspace()
        let driver = try driver(made.workspace)
        // Two passages fit the context of a small model.
        try driver.type("/\(SearchedWorkspace.question)<enter>sfusion.keep = 1<enter>")
        try driver.type("a<ctrl-u>scripted:The lower leaf needs 62 N·m dry [1].<enter>")
        try driver.type("<tab>o")
        #expect(driver.rows(with: "in the answer").count >= 1)
        try driver.type("<enter>")
        driver.finishJobs()
        #expect(driver.rows(with: "attention to tokens").count == 1, "\(driver.text)")
        #expect(driver.rows(with: "summed over 36 heads").count == 1)
        #expect(driver.rows(with: "orrery-mini reads the text instead").count == 1)
    }

    @Test func `an answer that was known from before leads to the call that was made for it`() throws {
        let made = try SearchedWorkspace()
        let driver = try driver(made.workspace)
        try driver.type("/\(SearchedWorkspace.question)<enter>sfusion.keep = 1<enter>")
        for _ in 0..<2 { try driver.type("a<ctrl-u>scripted:The lower leaf needs 62 N·m dry [1].<enter>") }
        try driver.type("<tab>o<enter>")
        driver.finishJobs()
        #expect(driver.rows(with: "attention to tokens").count == 1, "\(driver.text)")
    }

    @Test func `places of a text and a passage are found among tokens by their bytes`() {
        let tokens = TokenBytes(["", " Once", " caf", "\u{C3}", "é", " ag", "ain"].map { Array($0.utf8) })
        #expect(tokens.count == 7)
        #expect(tokens.token(holding: 0, of: "Once") == 1)
        #expect(tokens.token(holding: 5, of: "Once caf") == 2)
        #expect(tokens.tokens(of: "again") == 5..<7)
        #expect(tokens.tokens(of: "Once caf") == 1..<3)
        #expect(tokens.tokens(of: "never") == nil && tokens.tokens(of: "") == nil)
        #expect(TokenBytes([]).tokens(of: "a") == nil)
    }
}
