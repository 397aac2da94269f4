import JSON
import KernelLab
import System
import TestFixtures
import Testing
import Workspace

@Suite("profiles in a workspace")
struct ProfileStoreTests {
    private let folder = TemporaryFolder()

    private func store() throws -> ProfileStore {
        ProfileStore(
            try Workspace.open(folder.unique("w.orrery"), migrations: ProfileStore.migrations, create: true))
    }

    @Test("what is read back is what was imported", arguments: ProfileFixture.all)
    func roundTrip(file: String) throws {
        let store = try store()
        let report = try store.importProfile(ProfileFixture.path(file))
        #expect(report.isNew)
        var expected = try ProfileFixture.read(file)
        expected.summary.id = report.summary.id
        expected.summary.imported = report.summary.imported
        #expect(try store.profile(report.summary.id, withCounters: true) == expected)
        #expect(try store.launch(report.summary.id, expected.launches.count - 1) == expected.launches.last)
        #expect(try store.launch(report.summary.id, expected.launches.count) == nil)
    }

    @Test("the same bytes are imported once, whatever the file is called") func once() throws {
        let store = try store()
        let copy = folder.unique("copy.csv")
        File.copy(ProfileFixture.path("ncu-wide.csv"), to: copy)
        let first = try store.importProfile(ProfileFixture.path("ncu-wide.csv"))
        let second = try store.importProfile(copy)
        #expect(first.isNew && !second.isNew && second.summary == first.summary)
        #expect(second.sentence.contains("already imported as profile 1"))
        #expect(try store.summaries() == [first.summary])
    }

    @Test("a damaged file leaves nothing behind") func atomic() throws {
        let store = try store()
        let path = folder.unique("cut.csv")
        let whole = try #require(File.text(ProfileFixture.path("ncu-long.csv")))
        File.write(String(whole.dropLast(40)), to: path)
        #expect(throws: Problem.self) { try store.importProfile(path) }
        #expect(try store.summaries().isEmpty)
        #expect(try rows(store) == 0)
    }

    @Test("deleting counts what went and leaves the others") func deletion() throws {
        let store = try store()
        let one = try store.importProfile(ProfileFixture.path("ncu-wide.csv")).summary.id
        let other = try store.importProfile(ProfileFixture.path("ncu-long.csv")).summary
        #expect(try store.delete([one, one, 99]) == ProfileDeletion(profiles: 1, launches: 3))
        #expect(try store.summaries() == [other])
        #expect(try store.profile(one) == nil && store.launch(one, 0) == nil)
        #expect(try store.importProfile(ProfileFixture.path("ncu-wide.csv")).isNew, "it may come back")
    }

    @Test("a new title stays") func rename() throws {
        let store = try store()
        let id = try store.importProfile(ProfileFixture.path("ncu-long.csv")).summary.id
        try store.rename(id, to: "after the fusion")
        #expect(try store.summary(id)?.title == "after the fusion")
    }

    @Test("a cancelled import keeps nothing") func cancellation() throws {
        let store = try store()
        let cancellation = Cancellation()
        let path = folder.unique("long.csv")
        File.write(Self.longTable(launches: 20_000), to: path)
        #expect(throws: CancellationError.self) {
            try store.importProfile(path, cancellation: cancellation) { _ in cancellation.cancel() }
        }
        #expect(try store.summaries().isEmpty)
        #expect(try rows(store) == 0)
    }

    @Test("the open workspace is not a profile") func ownFile() throws {
        let store = try store()
        let error = #expect(throws: Problem.self) { try store.importProfile(store.workspace.path) }
        #expect(error?.sentence.contains("the file is the currently open workspace") ?? false)
    }

    @Test("a hundred thousand launches are imported and read") func many() throws {
        let store = try store()
        let path = folder.unique("many.csv")
        File.write(Self.longTable(launches: 100_000), to: path)
        let summary = try store.importProfile(path).summary
        #expect(summary.launchCount == 100_000 && summary.kernelCount == 7)
        let profile = try #require(try store.profile(summary.id))
        #expect(profile.launches.count == 100_000)
        // Launch 99,999 has kernel 99,999 mod 7 = 4 and 1,000 + 99,999 ns.
        #expect(profile.launches[99_999].name == "kernel4")
        #expect(figuresAgree(profile.launches[99_999].duration, 100_999e-9))
    }

    @Test("the JSON of a profile has its launches with their figures") func json() throws {
        let store = try store()
        let id = try store.importProfile(ProfileFixture.path("ncu-roofline.csv")).summary.id
        let text = try #require(try store.profile(id, withCounters: true)).json()
        try JSONParser().parse(text) { root in
            #expect(root["tool"]?.string == "Nsight Compute" && root["launches"]?.int == 1)
            let launch = try #require(root["launch_list"]?.element(at: 0))
            #expect(launch["operations"]?["f32"]?["quality"]?.string == "exact")
            #expect(figuresAgree(launch["operations"]?["f32"]?["value"]?.double, 6e7))
            #expect(launch["operations"]?["tensor"] == nil, "missing is not zero")
            #expect(launch["roof"]?["limit"]?.string == "DRAM")
            #expect(figuresAgree(launch["roof"]?["share"]?.double, 0.6))
            #expect(launch["counters"]?.member(named: "gpu__time_duration.sum [second]")?.double == 5e-5)
        }
    }

    private func rows(_ store: ProfileStore) throws -> Int {
        try store.workspace.read { db in
            try ProfileRows.count(db, ["profile", "profile_word", "launch", "launch_counter"])
        }
    }

    static func longTable(launches: Int) -> String {
        var text =
            "\"ID\",\"Process ID\",\"Kernel Name\",\"Grid Size\",\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n"
        text += "\"\",\"\",\"\",\"\",\"nsecond\",\"byte\"\n"
        for number in 0..<launches {
            text += "\"\(number)\",\"1\",\"kernel\(number % 7)\",\"(64, 1, 1)\",\"\(1000 + number)\",\"4,096\"\n"
        }
        return text
    }
}
