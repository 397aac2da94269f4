import JSON
import KernelLab
import TestFixtures
import Testing

@Suite("two profiles side by side")
struct ProfileComparisonTests {
    private static func profile(_ rows: [(String, Int, Double?)], clock: Double? = nil) -> Profile {
        var summary = ProfileSummary(title: "p", tool: "t", format: "f", path: "p")
        var device = ProfiledDevice(name: "GPU")
        device.coreClock = clock
        summary.devices = [device]
        summary.launchCount = rows.count
        summary.seconds = rows.reduce(0) { $0 + ($1.2 ?? 0) }
        return Profile(
            summary: summary,
            launches: rows.enumerated().map { place, row in
                var launch = Launch(ordinal: place, name: row.0)
                launch.grid = Extent(row.1)
                launch.duration = row.2
                return launch
            })
    }

    @Test("launches are matched by name, grid and place among their like") func matching() {
        let before = Self.profile([("a", 8, 4), ("b", 8, 1), ("a", 8, 6), ("a", 16, 5), ("old", 1, 2)])
        let after = Self.profile([("a", 8, 2), ("a", 8, 3), ("b", 8, 2), ("a", 32, 5), ("new", 1, 1), ("a", 8, 9)])
        let comparison = ProfileComparison(before: before, after: after)
        #expect(comparison.pairs.map { [$0.before.ordinal, $0.after.ordinal] } == [[0, 0], [2, 1], [1, 2]])
        #expect(comparison.pairs.map(\.speedup) == [2, 2, 0.5])
        #expect(comparison.onlyBefore.map(\.ordinal) == [3, 4])
        #expect(comparison.onlyAfter.map(\.ordinal) == [3, 4, 5])
        // All: 18 over 22; matched: 4 + 6 + 1 over 2 + 3 + 2.
        #expect(figuresAgree(comparison.speedup, 18 / 22) && figuresAgree(comparison.matchedSpeedup, 11 / 7))
        #expect(
            comparison.sentences.contains {
                $0.contains(
                    "2 of 5 launches are only in the first profile and 3 of 6 only in the second")
            })
    }

    @Test("kernels come by how much their time changed") func kernels() {
        let before = Self.profile([("small", 1, 1), ("gone", 1, 3), ("big", 1, 10)])
        let after = Self.profile([("small", 1, 1.5), ("big", 1, 5)])
        let kernels = ProfileComparison(before: before, after: after).kernels
        #expect(kernels.map(\.name) == ["big", "gone", "small"])
        #expect(kernels.map(\.difference) == [-5, -3, 0.5])
        #expect(kernels.map(\.speedup) == [2, nil, 1 / 1.5])
    }

    @Test("doubts are said: other clocks, missing times, nothing in common") func doubts() {
        let before = Self.profile([("a", 1, nil)], clock: 1.5e9)
        let slower = ProfileComparison(before: before, after: Self.profile([("a", 1, 2)], clock: 1.2e9))
        #expect(slower.pairs[0].speedup == nil && slower.matchedSpeedup == nil)
        #expect(slower.sentences.contains { $0.contains("core clock differs by 20 %") })
        #expect(slower.sentences.contains { $0.contains("1 pairs lack a time") })
        let other = ProfileComparison(before: before, after: Self.profile([("b", 1, 2)]))
        #expect(other.sentences.contains { $0.contains("No launches of the two profiles") })
    }

    @Test("a profile against itself is all pairs at one") func identity() throws {
        let profile = try ProfileFixture.read("rocprof-counters.csv")
        let comparison = ProfileComparison(before: profile, after: profile)
        #expect(comparison.pairs.count == 2 && comparison.pairs.allSatisfy { $0.speedup == 1 })
        #expect(comparison.speedup == 1 && comparison.sentences.isEmpty)
        try JSONParser().parse(comparison.json()) { root in
            #expect(root["speedup"]?.double == 1 && root["pairs"]?.count == 2)
        }
    }
}
