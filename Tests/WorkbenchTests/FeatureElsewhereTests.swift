import FeatureLab
import Testing
import Workbench
import Workspace

@Suite struct `A feature in other panels` {
    private func driver(_ made: TestWorkspace) -> PageDriver<AttentionPage> { PageDriver(made.workspace) }

    @Test func `opens its strongest example in Attention`() throws {
        let made = try FeatureWorkspace.indexed()
        let store = FeatureStore(made.workspace)
        let dictionary = try #require(try store.dictionaries().first)
        let dashboards = try (0..<48).map { try store.dashboard(of: dictionary.id, feature: $0) }
        let dashboard = try #require(dashboards.first { !$0.top.isEmpty })
        let reference = Reference(.feature, [dictionary.id, Int64(dashboard.feature)], title: "a feature")
        #expect(AttentionPage.about.opens.contains(reference.kind))
        let driver = driver(made)
        guard case .shows(let sight) = try driver.page.preview(of: reference)(Cancellation()) else {
            Issue.record("Attention shows nothing of the feature")
            return
        }
        #expect(sight == "heads on \(dashboard.top[0].tokens.count) tokens of the strongest example")
        #expect(driver.open(reference))
    }

    @Test func `is refused without examples, with the command that finds them`() throws {
        let made = try FeatureWorkspace.unindexed()
        let dictionary = try #require(try FeatureStore(made.workspace).dictionaries().first)
        let reference = Reference(.feature, [dictionary.id, 3], title: "feature 3")
        let error = #expect(throws: (any Error).self) {
            try driver(made).page.preview(of: reference)(Cancellation())
        }
        #expect(error.map { "\($0)" } == "feature 3 has no examples. Run orrery feature index to find them.")
    }
}
