import Console
import FeatureLab
import Formatting
import TestFixtures
import Testing
import Workbench

/// The page for a dictionary without an index of its activations.
@Suite struct `The features page at first use` {
    @Test func `a list without an index is by number or label, and the card names the command that makes one`() throws {
        let made = try FeatureWorkspace.unindexed()
        let driver = try FeatureDriver(made)
        #expect(driver.screen().contains("by feature") && !driver.screen().contains("by meaning"))
        #expect(driver.screen().contains("orrery feature index mini-2 --texts FILE"))
        let store = FeatureStore(made.workspace)
        try store.setLabel("colors", of: try store.dictionaries()[0].id, feature: 7)
        driver.workspaceChanged()
        #expect(driver.screen().contains("by label"))
        try driver.press("sort")
        #expect(driver.screen().contains("by feature"))
        #expect(driver.failures == [])
    }

    @Test func `an index that another program makes is seen after a moment`() throws {
        let made = try FeatureWorkspace.unindexed()
        let driver = try FeatureDriver(made)
        try driver.watch()
        #expect(driver.screen().contains("by feature"))
        let store = FeatureStore(made.workspace)
        try FeatureWorkspace.index(try store.dictionaries()[0], in: store)
        try driver.watch()
        #expect(driver.screen().contains("by meaning") && driver.screen().contains("of 37 tokens"))
        let first = try #require(
            try store.features(of: try store.dictionaries()[0].id, by: .meaning, descending: false, limit: 1).first)
        #expect(
            driver.page.selection?.path.last == Int64(first.feature), "the cursor goes to the first of the new order")
        #expect(driver.failures == [])
    }

    @Test func `figures of a feature are the same in the list, on its card and in JSON`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = try FeatureDriver(made, size: Size(200, 60))
        let store = FeatureStore(made.workspace)
        let id = try store.dictionaries()[0].id
        let rows = try store.features(of: id, by: .meaning, descending: false)
        #expect(rows.first?.label == "colors of flags", "a person's word comes first")
        try driver.press("top")
        for row in rows.prefix(8) {
            let density = try Format.probability(#require(row.density))
            let maximum = try Format.fixed(#require(row.maximum), digits: 2)
            let screen = driver.screen().split(separator: "\n")
            #expect(screen.contains { $0.contains(" \(row.feature) ") && $0.contains(density) && $0.contains(maximum) })
            let figures = "\(try #require(row.count)) of 37 tokens (\(density)), at most \(maximum)"
            #expect(screen.contains { $0.contains(figures) }, "\(figures)")
            try driver.press("down")
        }
        let last = try #require(rows.last)
        #expect(last.count == 0, "what never fires comes last")
    }
}
