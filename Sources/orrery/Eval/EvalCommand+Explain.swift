import ArgumentParser
import Console
import Evals
import JSON

extension EvalCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain", abstract: "Explain the words of task files: scorers, metrics, keys.",
            discussion: """
                orrery eval explain task: every key, and what it means; orrery eval explain data: those of one section; \
                orrery eval explain program: what a program of your own reads and writes; orrery eval explain gate: the \
                conditions of eval diff; orrery eval explain regex: one scorer.

                A whole task, capitals.toml:

                prompt = "What is the capital of {{ country }}?"
                target = "{{ capital }}"
                [data]
                rows = [{ country = "France", capital = "Paris" }, { country = "Peru", capital = "Lima" }]
                [[scorers]]
                kind = "contains"
                """)

        @Argument(
            help:
                "scorers, metrics, task, program, gate, a section or key of tasks, or the name of a scorer or metric.",
            completion: .list(words))
        var word: String?

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                switch word {
                case nil, "scorers"?: list(Scorers.kinds.map { ($0.name, $0.summary) })
                case "metrics"?: list(Metrics.all.map { ($0.kind.name, $0.kind.summary) })
                case "program"?: tell("program", Self.program)
                case "gate"?: tell("gate", Self.gate)
                case "task"?, "keys"?: tell("task", Self.example + OrreryTaskFormat.explanation)
                case let word?: try one(word)
                }
                if word == nil, !output.json { Output.note(Self.others) }
            }
        }

        /// All that can be asked for.
        private static var words: [String] {
            let names = Scorers.kinds.map(\.name) + Metrics.all.map { $0.kind.name } + OrreryTaskFormat.words
            return ["scorers", "metrics", "task", "program", "gate"] + Set(names).sorted()
        }

        /// Behind the scorers, where nothing was asked for.
        private static let others = """
            More: orrery eval explain metrics, task (every key of a task file, with an example), program (what a program of
            your own reads and writes), gate (the conditions of eval diff), and each scorer and metric by its name.
            Tasks of lm-evaluation-harness read JSON, JSON lines and CSV; Parquet has to be written as JSON lines first.
            """

        /// What stands before the keys.
        private static let example = """
            # A whole task:
            #
            #   prompt = "What is the capital of {{ country }}?"
            #   target = "{{ capital }}"
            #   slices = ["continent"]
            #   [data]
            #   rows = [{ country = "France", capital = "Paris", continent = "Europe" }]
            #   [[scorers]]
            #   kind = "contains"
            #
            # orrery eval run capitals.toml --model exec:./solve.py


            """

        /// The conditions of `eval diff`.
        private static let gate = """
            orrery eval diff A B --gate "accuracy>=-0.02,seconds<=1" tells whether B may take A's place: every condition has
            to hold, else the exit status is 3, or 2 where the samples cannot tell.

            A condition is a measure, >= or <=, and a number. It bounds the difference B - A, not the value of B:
            accuracy>=-0.02 lets B be 2 points worse than A and no more, seconds<=1 lets it take a second longer a sample.
            Measures are accuracy, each score by its name, seconds, tokens and cost.
            """

        /// The lines of `exec:` programs, by an example each.
        private static let program = """
            --model exec:./solve.py, and scorers of kind exec (program = "./score.py"): a program that is started once and
            kept. It reads one line of JSON a sample and writes one line; what it writes to standard error is kept beside
            the sample. Write it unbuffered.

            A line may take 60 seconds, the start of the program included: timeout below [program] of the task, timeout of
            the scorer, or --program-seconds of eval run give more or less. A program that takes longer is killed, and the
            sample ends in an error. One that ends without an answer is started again and asked the same line once more;
            when it ends in the same way, that is the sample's error, with its status and what it wrote to standard error.
            After 10 samples in a row without an answer the run stops. Agents and pipelines ask a program anew for every
            request.

            Every line has a number, line_id. A program that writes it back may be late or write more than once: what
            belongs to an earlier line is dropped. Of one that does not, anything but one line for each that it read ends
            the program, and where that came with an answer, it is an error of the sample.

            A solver reads   {"version": 1, "line_id": 12, "kind": "solve", "id": "q1", "epoch": 1, "seed": 7,
                              "input": "2 + 2?", "messages": [...], "choices": [...], "fields": {...}, "request": "generation"}
            and writes       {"answer": "4"}         or, better, {"line_id": 12, "answer": "4"}
            or more          {"answers": ["4"], "messages": [...], "usage": {"input_tokens": 9, "output_tokens": 1},
                              "steps": [{"tool": "search", "arguments": {}, "result": "...", "error": false,
                                         "seconds": 0.2}]}
            or               {"error": "why not"}

            A scorer reads   {"version": 1, "line_id": 12, "kind": "score", "id": "q1", "input": "...", "targets": ["4"], "answer": "4",
                              "answers": [...], "messages": [...], "choices": [...], "fields": {...}}
            and writes       {"score": 0.5, "label": "half", "explanation": "why"}
            or more          {"scores": [{"name": "style", "score": 1}, {"name": "facts", "score": 0}]}
            or               {"error": "why not"}

            A judge (--judge exec:./judge.py) reads
                             {"version": 1, "line_id": 12, "kind": "judge", "input": "...", "seed": 7, "messages": [...]}
            where input says what is to be judged and ends with the object that is wanted, {"id": "8c1f...", ...}. It
            writes that object as its answer, with the same id:
                             {"answer": {"id": "8c1f...", "reason": "why", "score": 4}}
            or, of eval judge prefer,
                             {"answer": {"id": "8c1f...", "reason": "why", "verdict": "first"}}
            or               {"error": "why not"}
            The object may also be a text. One that is missing or not on the scale leaves the sample without that score.

            Answers are taken from the cache while the program's own files are the same; what it imports is not looked at:
            --no-cache asks again.
            """

        private func list(_ kinds: [(name: String, summary: String)]) {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { json in for kind in kinds { json.member(kind.name, kind.summary) } }
                return Output.result(json.text)
            }
            var table = TextTable(["name", "what it does"])
            for kind in kinds { table.add([kind.name, kind.summary]) }
            Output.result(table.text)
        }

        private func tell(_ word: String, _ text: String) {
            guard output.json else { return Output.result(text) }
            var json = JSONWriter(style: .pretty)
            json.object {
                $0.member("word", word)
                $0.member("text", text)
            }
            Output.result(json.text)
        }

        private func one(_ word: String) throws {
            let meanings = EvalMeanings(of: word)
            guard !meanings.isEmpty else {
                throw Failure(
                    "\(word): no scorer, no metric and no key is called so: orrery eval explain scorers, metrics and task "
                        + "list them.")
            }
            output.json ? Output.json(meanings) : Output.result(meanings.text)
        }
    }
}
