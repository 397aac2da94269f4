import KernelLab
import TestFixtures
import Testing

/// The profiles that a first run opens.
@Suite("sample profiles")
struct SampleProfileTests {
    private static func read(_ name: String, file: String = #filePath) throws -> Profile {
        let root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        return try ProfileReader.read("\(root)/sample-data/profiles/\(name)")
    }

    @Test("the change from before to after is a gain, with what was fused unmatched") func change() throws {
        let comparison = ProfileComparison(before: try Self.read("before.csv"), after: try Self.read("after.csv"))
        let speedup = try #require(comparison.speedup)
        #expect(speedup > 1.2 && speedup < 3)
        #expect(comparison.onlyBefore.contains { $0.name.contains("softmax") })
        #expect(comparison.onlyAfter.contains { $0.name.contains("flash") })
        #expect(comparison.pairs.count >= 10 && comparison.before.launchCount >= 20)
    }

    @Test("every kernel stands below the roof of its own profile", arguments: ["before.csv", "after.csv"])
    func roof(file: String) throws {
        let profile = try Self.read(file)
        let roof = try #require(profile.summary.roofline(ofDevice: 0))
        for launch in profile.launches {
            let standing = try #require(launch.standing(on: roof), "\(launch.name)")
            #expect(
                standing.share > 0.05 && standing.share < 1,
                "\(launch.name): \(standing.share) of \(standing.limit.name)")
        }
    }

    @Test("the trace has the kernels of the table, each with its operator") func trace() throws {
        let table = try Self.read("before.csv")
        let trace = try Self.read("step.json")
        #expect(trace.launches.map(\.name) == table.launches.map(\.name))
        #expect(trace.launches.allSatisfy { $0.source != nil })
        // The shapes give what the device counted.
        for (estimated, counted) in zip(trace.launches, table.launches) where estimated.work != .missing {
            #expect(figuresAgree(estimated.work.value, counted.work.value ?? 0), "\(counted.name)")
        }
    }
}
