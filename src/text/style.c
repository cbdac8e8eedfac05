/* Colors: see style.h. */
#include "config.h"
#include "text/style.h"

#include <math.h>
#include <stdlib.h>

#define NAMED 16
#define CUBE  16 /* where 6 * 6 * 6 colors begin */
#define GREYS 232
#define LAST  255

static const char *const names[NAMED] = {"black", "red", "green", "yellow", "blue",
	"magenta", "cyan", "white", "bright-black", "bright-red", "bright-green",
	"bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white"};

static const uint32_t named[NAMED] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE,
	0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF,
	0xFF00FF, 0x00FFFF, 0xFFFFFF};

const char *color_name(unsigned index)
{
	return index < NAMED ? names[index] : NULL;
}

/* ---- reading and writing ---- */

/* A number of a few digits, or -1. */
static int number(struct str text, int base)
{
	int n = 0;

	if (!text.n || text.n > 6)
		return -1;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		int d = c >= '0' && c <= '9'   ? c - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
			: c >= 'A' && c <= 'F' ? c - 'A' + 10
					       : base;

		if (d >= base)
			return -1;
		n = n * base + d;
	}
	return n;
}

bool color_read(struct str text, int *color)
{
	int n;

	if (text.n && text.p[0] == '#') { /* "#ff8800", or "#f80" in short */
		n = text.n == 4 || text.n == 7 ? number(str_skip(text, 1), 16) : -1;
		if (n < 0)
			return false;
		if (text.n == 4)
			n = (n >> 8) * 0x110000 + (n >> 4 & 15) * 0x1100 +
			    (n & 15) * 0x11;
		*color = COLOR_RGB + n;
		return true;
	}
	if (str_equal(text, STR("default"))) {
		*color = COLOR_DEFAULT;
		return true;
	}
	for (n = 0; n < NAMED; n++)
		if (str_equal(text, str_of(names[n]))) {
			*color = n;
			return true;
		}
	n = number(text, 10);
	if (n < 0 || n > LAST)
		return false;
	*color = n;
	return true;
}

/* ---- red, green and blue ---- */

/* One of the six levels of a channel. */
static uint32_t cube_level(int n)
{
	return n ? 55 + 40 * (uint32_t)n : 0;
}

uint32_t color_rgb(int color)
{
	int i = color - CUBE;

	if (color >= COLOR_RGB)
		return (uint32_t)(color - COLOR_RGB);
	if (color < 0 || color > LAST)
		return 0;
	if (color < NAMED)
		return named[color];
	if (color >= GREYS)
		return 0x10101 * (8 + 10 * (uint32_t)(color - GREYS));
	return cube_level(i / 36) << 16 | cube_level(i / 6 % 6) << 8 | cube_level(i % 6);
}

static int channel(uint32_t rgb, int shift)
{
	return (int)(rgb >> shift & 0xFF);
}

/* The eye sees green best and blue least. */
static int distance(uint32_t a, uint32_t b)
{
	int red = channel(a, 16) - channel(b, 16), green = channel(a, 8) - channel(b, 8),
	    blue = channel(a, 0) - channel(b, 0);

	return 3 * red * red + 4 * green * green + 2 * blue * blue;
}

static int nearest_of(uint32_t rgb, int from, int to)
{
	int best = from;

	for (int i = from; i < to; i++)
		if (distance(rgb, color_rgb(i)) < distance(rgb, color_rgb(best)))
			best = i;
	return best;
}

int color_nearest(int color, int colors)
{
	if (color < 0 || colors < 8)
		return COLOR_DEFAULT;
	if (colors >= COLOR_RGB)
		return color < 8 ? color : COLOR_RGB + (int)color_rgb(color);
	if (color < colors && color <= LAST)
		return color;
	if (colors <= LAST)
		return nearest_of(color_rgb(color), 0, colors < NAMED ? 8 : NAMED);
	return nearest_of(color_rgb(color), CUBE, LAST + 1);
}

/* ---- contrast ---- */

static double linear(int value)
{
	double v = value / 255.0;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
	return 0.2126 * linear(channel(rgb, 16)) + 0.7152 * linear(channel(rgb, 8)) +
	       0.0722 * linear(channel(rgb, 0));
}

double color_contrast(uint32_t a, uint32_t b)
{
	double la = luminance(a), lb = luminance(b);

	return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}
