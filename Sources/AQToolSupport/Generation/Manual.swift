// SPDX-License-Identifier: MIT

/// The parts of a tool's manual page that are not in `--help`.
public struct Manual: Sendable, Equatable {
    /// A command line, and its effect.
    public struct Example: Sendable, Equatable {
        public var command: String
        /// A sentence.
        public var text: String

        public init(_ command: String, _ text: String) {
            self.command = command
            self.text = text
        }
    }

    /// The tool's purpose in a few words, such as "play audio files"; nil for the first sentence of the summary.
    public var purpose: String?
    /// The paragraphs that follow the summary.
    public var paragraphs: [String]
    public var examples: [Example]
    /// The environment variables that the tool reads.
    public var environment: [HelpSection.Row]
    public var files: [HelpSection.Row]
    /// The pages to read, besides those of the other tools: `mpv(1)`.
    public var related: [String]

    public init(
        purpose: String? = nil, paragraphs: [String] = [], examples: [Example] = [],
        environment: [HelpSection.Row] = [], files: [HelpSection.Row] = [], related: [String] = []
    ) {
        self.purpose = purpose
        self.paragraphs = paragraphs
        self.examples = examples
        self.environment = environment
        self.files = files
        self.related = related
    }

    /// How bugs are reported. The packages of a distribution have their maintainer's address.
    static let bugReports = """
        Report bugs in the project's issue tracker, or to the maintainer of the package: "apt show \
        audioqueue-tools" prints the addresses. Include the command, its output (with --verbose, if the tool \
        has this option), the output of --version, the sound server that pactl(1) prints with "info", and \
        the file if it can be shared. Report security vulnerabilities in private, as the project's page \
        describes.
        """

    /// The tools of the package, whose manual pages name each other.
    public static let tools = ["aqconvert", "aqinfo", "aqlatency", "aqplay", "aqrecord"]
}

/// Environment variables that several tools read.
extension Manual {
    public static let serverEnvironment: [HelpSection.Row] = [
        .init(
            "PULSE_SERVER",
            "The address of the sound server, such as tcp:studio:4713. By default libpulse selects it."
        ),
        .init(
            "PULSE_PROP, PULSE_PROP_KEY",
            """
            Properties of the stream that mixers show: PULSE_PROP is a list such as "media.role=music", and \
            PULSE_PROP_media.role the value of one property. PULSE_PROP_OVERRIDE and PULSE_PROP_OVERRIDE_KEY take \
            precedence over both.
            """),
    ]

    public static let schedulingEnvironment: HelpSection.Row = .init(
        "DBUS_SYSTEM_BUS_ADDRESS",
        """
        The address of the system bus, on which RealtimeKit is asked for real-time priority if the kernel refuses it.
        """)

    public static let temporaryFolderEnvironment: HelpSection.Row = .init(
        "TMPDIR",
        "The folder for temporary files that hold the audio of a pipe if its container needs this (default /tmp)."
    )

    /// For tools that open addresses, as libcurl does.
    public static let networkEnvironment: [HelpSection.Row] = [
        .init(
            "CURL_CA_BUNDLE, SSL_CERT_FILE",
            "The file of certificates with which servers are checked, instead of the system's."),
        .init(
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "The proxies for addresses, and the hosts without one, as in curl(1)."),
    ]

    public static let localeEnvironment: HelpSection.Row = .init(
        "LC_ALL, LC_CTYPE, LANG", "The locale. Without UTF-8, only ASCII characters are drawn.")

    public static let terminalEnvironment: HelpSection.Row = .init(
        "TERM",
        "The terminal's type. A \"dumb\" terminal receives no escape sequences; \"linux\" no block characters."
    )
}
