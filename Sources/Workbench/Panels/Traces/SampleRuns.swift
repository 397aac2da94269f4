public import Traces

/// What the runs of the sample data are called, and what each is about: they were recorded without a title.
public enum SampleRuns {
    private struct Sample {
        /// The beginning of the run's id.
        var id: String
        var name: String
        var note: String
    }

    private static let samples = [
        Sample(
            id: "decade0f", name: "duty-engineer: why does the dome shutter jam?",
            note:
                "Sample. An agent asks two others, one reads manuals, one the night log in SQL; a query names a column "
                + "that does not exist."),
        Sample(
            id: "0ddba115", name: "reindexer: asks for one job 23 times",
            note:
                "Sample. The first answer says why the job never starts, and no one reads it: a loop that the step limit "
                + "ends."),
        Sample(
            id: "ca11ab1e", name: "salgueira: why is the old tide record 26 cm low?",
            note: "Sample. A research agent with two sub-agents; two of its sources differ by a factor of ten."),
        Sample(
            id: "7e57ab1e", name: "tidebook: the low water at midnight is lost",
            note:
                "Sample. A coding agent mends a tide table: eight failed tool calls, three wrong turns, one compaction."
        ),
        Sample(
            id: "01dc0de5", name: "museum: shorten the signs",
            note: "Sample. A small service with attributes of 2024; one call meets a rate limit."),
    ]

    /// Names the sample runs that a store holds, and notes what they are about.
    public static func describe(in store: TraceStore) throws {
        for sample in samples {
            // A run that a person has removed from the sample data is passed over.
            guard let run = try? store.find(sample.id) else { continue }
            try store.describe(run.id, name: sample.name, note: sample.note)
        }
    }
}
