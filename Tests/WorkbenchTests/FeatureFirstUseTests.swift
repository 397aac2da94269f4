import Console
import FeatureLab
import TestFixtures
import Testing
import Workbench

/// The panel before anybody looked at what features fire on.
@Suite struct `The features panel at first use` {
    @Test func `a list without an index is by number or label, and the card names the command that makes one`() throws {
        let made = try FeatureWorkspace.unindexed()
        let driver = FeatureDriver(made)
        #expect(driver.screen().contains("by feature") && !driver.screen().contains("by density"))
        #expect(driver.screen().contains("orrery feature index mini-2 --texts FILE"))
        let store = FeatureStore(made.workspace)
        try store.setLabel("colors", of: try store.dictionaries()[0].id, feature: 7)
        driver.change()
        #expect(driver.screen().contains("by label"))
        driver.act(.sort)
        #expect(driver.screen().contains("by feature"))
        #expect(driver.failures == [])
    }

    @Test func `an index that another program makes is seen after a moment`() throws {
        let made = try FeatureWorkspace.unindexed()
        let driver = FeatureDriver(made)
        let tick = try #require(driver.waiting)
        driver.tell(tick)
        #expect(driver.screen().contains("by feature"))
        let store = FeatureStore(made.workspace)
        try FeatureWorkspace.index(try store.dictionaries()[0], in: store)
        driver.tell(tick)
        #expect(driver.screen().contains("by density") && driver.screen().contains("of 37 tokens"))
        let first = try #require(try store.features(of: try store.dictionaries()[0].id, limit: 1).first)
        #expect(
            driver.panel.selection?.path.last == Int64(first.feature), "the cursor goes to the first of the new order")
        #expect(driver.failures == [])
    }
}
