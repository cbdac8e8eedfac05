# A formula for Homebrew.  catena has no public address yet: HOMEBREW_CATENA_REPOSITORY is that of a clone,
# as in  HOMEBREW_CATENA_REPOSITORY=file:///home/ada/catena brew install --HEAD ./packaging/catena.rb
# With the first public release, `url` and `sha256` of its archive come here.
class Catena < Formula
  desc "Reader of LLM traces for the terminal"
  homepage "https://example.org/catena"
  license "MIT"
  head ENV.fetch("HOMEBREW_CATENA_REPOSITORY", "file:///catena-has-no-address-yet.git"), using: :git, branch: "main"

  depends_on "autoconf" => :build
  depends_on "automake" => :build
  depends_on "pkg-config" => :build
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "libyaml"
  depends_on "md4c"
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "utf8proc"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    system "autoreconf", "-i"
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    (testpath/"trace.json").write <<~JSON
      {"messages": [{"role": "user", "content": "Which hive first?"},
                    {"role": "assistant", "content": "Linden."}]}
    JSON
    assert_match "Linden.", shell_output("#{bin}/catena print trace.json")
  end
end
